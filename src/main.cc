#include "freeplay/cli/command_line.h"

int main(int argc, char** argv) { return freeplay::run_command_line(argc, argv); }
