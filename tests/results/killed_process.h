#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <thread>

namespace freeplay {

/// Runs `work(started)` in a process of its own, which is killed (SIGKILL) `delay` after it called `started()`. Returns
/// false if the process ended by itself before.
template <class Work>
bool run_and_kill(Work&& work, std::chrono::microseconds delay) {
  int ready[2];
  if (pipe(ready) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    try {
      work([&] { [[maybe_unused]] auto n = write(ready[1], "r", 1); });
    } catch (const std::exception&) {
    }
    _exit(1);
  }
  close(ready[1]);
  char byte;
  const bool started = read(ready[0], &byte, 1) == 1;
  close(ready[0]);
  std::this_thread::sleep_for(delay);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return started && WIFSIGNALED(status);
}

}  // namespace freeplay
