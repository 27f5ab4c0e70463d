#include "freeplay/app/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "freeplay/app/commands.h"
#include "freeplay/app/engine.h"

namespace freeplay {

void secure_standard_streams() {
  // A run must survive the reader of its progress lines.
  std::signal(SIGPIPE, SIG_IGN);
  // With `>&-` the next file opened would become standard output, and messages would land in the results.
  int descriptor = open("/dev/null", O_RDWR);
  while (descriptor >= 0 && descriptor <= STDERR_FILENO) descriptor = open("/dev/null", O_RDWR);
  if (descriptor > STDERR_FILENO) close(descriptor);
}

int write_to_standard_output(const std::string& text) {
  const char* rest = text.data();
  size_t n_rest = text.size();
  while (n_rest > 0) {
    const ssize_t n_written = write(STDOUT_FILENO, rest, n_rest);
    if (n_written >= 0) {
      rest += n_written;
      n_rest -= static_cast<size_t>(n_written);
    } else if (errno == EPIPE) {
      return exit_ok;
    } else if (errno != EINTR) {
      std::fprintf(stderr, "freeplay: cannot write to standard output: %s\n", std::strerror(errno));
      return exit_output_error;
    }
  }
  return exit_ok;
}

}  // namespace freeplay
