#include "freeplay/cli/child_process.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "freeplay/cli/command_line.h"

namespace freeplay {

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
  // As shells report a process that a signal has ended.
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace freeplay
