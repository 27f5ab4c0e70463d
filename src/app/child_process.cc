#include "freeplay/app/child_process.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "freeplay/app/command_line.h"

namespace freeplay {

namespace {

/// As shells report a process that a signal has ended.
int code_of_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

pid_t fork_or_throw() {
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  return child;
}

}  // namespace

int run_in_child(const std::function<int()>& command) {
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (child == 0) leave(exit_code_of(command));
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction interrupt, terminate;
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGTERM, &ignore, &terminate);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGTERM, &terminate, nullptr);
  return code_of_status(status);
}

BackgroundProcess::BackgroundProcess(const std::function<int()>& command) : output_(std::tmpfile()) {
  if (!output_) throw std::system_error(errno, std::generic_category(), "cannot make a temporary file");
  pid_ = fork_or_throw();
  if (pid_ != 0) return;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  dup2(fileno(output_.get()), STDOUT_FILENO);
  dup2(fileno(output_.get()), STDERR_FILENO);
  std::exit(exit_code_of(command));
}

std::optional<int> BackgroundProcess::poll() {
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  return code_of_status(status);
}

void BackgroundProcess::interrupt() const { kill(pid_, SIGINT); }

std::string BackgroundProcess::output() const {
  std::string text;
  std::rewind(output_.get());
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, output_.get())) > 0;) text.append(buffer, n);
  return text;
}

}  // namespace freeplay
