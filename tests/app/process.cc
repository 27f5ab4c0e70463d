#include "app/process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace freeplay::test {
namespace {

constexpr auto poll_interval = std::chrono::milliseconds(5);

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

void redirect(int descriptor, const char* file, int flags) {
  const int opened = open(file, flags, 0600);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(127);
  close(opened);
}

}  // namespace

Process::Process(const std::string& program, const std::vector<std::string>& arguments,
                 const std::filesystem::path& directory) {
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string out = streams_ / "out";
  const std::string err = streams_ / "err";

  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ > 0) return;
  redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  redirect(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT);
  redirect(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT);
  if (chdir(directory.c_str()) == 0) execv(argv[0], argv.data());
  _exit(127);
}

Process::~Process() {
  if (is_running()) {
    send(SIGKILL);
    reap(true);
  }
}

void Process::send(int signal) const {
  if (!ended_) kill(pid_, signal);
}

bool Process::is_running() {
  reap(false);
  return !ended_;
}

ProcessResult Process::wait(std::chrono::seconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (is_running() && std::chrono::steady_clock::now() < deadline) std::this_thread::sleep_for(poll_interval);
  if (!ended_) {
    result_.timed_out = true;
    send(SIGKILL);
    reap(true);
  }
  result_.out = file_text(streams_ / "out");
  result_.err = file_text(streams_ / "err");
  return result_;
}

void Process::reap(bool block) {
  if (ended_) return;
  int status = 0;
  rusage usage{};
  if (wait4(pid_, &status, block ? 0 : WNOHANG, &usage) != pid_) return;
  ended_ = true;
  if (WIFEXITED(status)) result_.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result_.signal = WTERMSIG(status);
  result_.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace freeplay::test
