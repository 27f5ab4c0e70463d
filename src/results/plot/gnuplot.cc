#include "freeplay/results/plot/gnuplot.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "freeplay/base/diagnostics.h"

namespace freeplay {

namespace {

/// A file without a name: it is gone with the process, however that ends.
class Stream {
 public:
  Stream() : file_(std::tmpfile()) {
    if (!file_) throw std::system_error(errno, std::generic_category(), "cannot make a temporary file");
  }
  int descriptor() const { return fileno(file_.get()); }
  void write(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
    if (!written || std::fflush(file_.get()) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot write a temporary file");
    std::rewind(file_.get());
  }
  std::string text() {
    std::string all;
    std::rewind(file_.get());
    char buffer[1 << 16];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file_.get())) > 0;) all.append(buffer, n);
    return all;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

/// Exit code of gnuplot.
int run_gnuplot(const Stream& in, const Stream& out, const Stream& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  char name[] = "gnuplot", defaults[] = "-d";
  char* const arguments[] = {name, defaults, nullptr};
  pid_t child = -1;
  const int failure = posix_spawnp(&child, name, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT)
    throw InputError("error: gnuplot, which draws the pictures, is not installed: apt install gnuplot-nox");
  if (failure != 0) throw std::system_error(failure, std::generic_category(), "cannot start gnuplot");
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string draw_with_gnuplot(const std::string& commands) {
  Stream in, out, err;
  in.write(commands);
  const int code = run_gnuplot(in, out, err);
  std::string picture = out.text();
  if (code != 0 || picture.empty())
    throw std::runtime_error("gnuplot has made no picture (exit code " + std::to_string(code) + "): " + err.text());
  return picture;
}

}  // namespace freeplay
