#include "freeplay/app/manual.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "freeplay/app/version.h"
#include "freeplay/base/names.h"

namespace freeplay {

namespace {

/// Commands that a user is meant to see.
std::vector<const CLI::App*> commands_of(const CLI::App& program) {
  std::vector<const CLI::App*> commands;
  for (const CLI::App* command : program.get_subcommands({}))
    if (!command->get_group().empty()) commands.push_back(command);
  return commands;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app, bool positional) {
  std::vector<const CLI::Option*> options;
  for (const CLI::Option* option : app.get_options({}))
    if (option->get_positional() == positional && !option->get_group().empty()) options.push_back(option);
  return options;
}

std::vector<std::string> flags_of(const CLI::Option& option) {
  std::vector<std::string> flags;
  for (const std::string& name : option.get_snames()) flags.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flags.push_back("--" + name);
  return flags;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// Text as roff shows it: its own signs are made harmless, and hyphens of options can be copied.
std::string roff(const std::string& text) {
  std::string result;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    at_start = c == '\n';
  }
  return result;
}

std::string option_entry(const CLI::Option& option) {
  std::string names;
  for (const std::string& flag : flags_of(option)) names += (names.empty() ? "\\fB" : ", \\fB") + roff(flag) + "\\fR";
  // After a colon CLI11 says which values it accepts.
  const std::string type = option.get_type_name().substr(0, option.get_type_name().find(':'));
  if (takes_value(option)) names += " \\fI" + roff(type) + "\\fR";
  return ".TP\n" + names + "\n" + roff(option.get_description()) + "\n";
}

std::string positional_entry(const CLI::Option& option) {
  return ".TP\n\\fI" + roff(option.get_name(true)) + "\\fR\n" + roff(option.get_description()) + "\n";
}

std::string synopsis(const CLI::App& command) {
  std::string text = ".B freeplay " + roff(command.get_name()) + "\n";
  for (const CLI::Option* option : options_of(command, true))
    text +=
        "\\fI" + roff(option->get_required() ? option->get_name(true) : "[" + option->get_name(true) + "]") + "\\fR\n";
  return text + "[\\fIoptions\\fR]\n";
}

std::string command_section(const CLI::App& command) {
  std::string text = ".SS freeplay " + roff(command.get_name()) + "\n" + roff(command.get_description()) + ".\n";
  for (const CLI::Option* option : options_of(command, true)) text += positional_entry(*option);
  for (const CLI::Option* option : options_of(command, false)) text += option_entry(*option);
  if (!command.get_footer().empty()) text += ".PP\n.nf\n" + roff(command.get_footer()) + "\n.fi\n";
  return text;
}

/// What the completion of one command looks like: a line of a `case`.
std::string completion_of(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : options_of(command, false))
    for (const std::string& flag : flags_of(*option))
      if (flag.starts_with("--")) words.push_back(flag);
  return "    " + command.get_name() + ") options=\"" + joined(words, " ") + "\" ;;\n";
}

/// Options whose value is a directory, and those whose value nothing can guess.
std::vector<std::string> options_with_value(const CLI::App& program, bool directory) {
  std::vector<std::string> flags;
  for (const CLI::App* command : commands_of(program))
    for (const CLI::Option* option : options_of(*command, false))
      if (takes_value(*option) && (option->get_type_name() == "DIR") == directory)
        for (const std::string& flag : flags_of(*option))
          if (std::find(flags.begin(), flags.end(), flag) == flags.end()) flags.push_back(flag);
  return flags;
}

const char* const exit_codes = R"(.SH EXIT STATUS
.TP
0
finished
.TP
1
\fBfreeplay bench\fR: a computed value differs from the published one
.TP
2
input error: nothing was run
.TP
3
numerical failure: results up to there are complete
.TP
130
interrupted by Ctrl\-C: results up to there are complete
)";

const char* const files = R"(.SH FILES
.TP
.I /usr/share/freeplay/examples
example models; \fBfreeplay examples\fR copies them
.TP
.I /usr/share/doc/freeplay
the documentation; \fIinput.md\fR is the reference of the model file
)";

}  // namespace

std::string manual_page(const CLI::App& program) {
  std::string text = ".TH FREEPLAY 1 \"\" \"freeplay " + std::string(version) + "\" \"User Commands\"\n";
  text += ".SH NAME\nfreeplay \\- simulate mechanisms with clearance and friction in their joints\n.SH SYNOPSIS\n";
  for (const CLI::App* command : commands_of(program)) text += synopsis(*command) + ".br\n";
  text += ".SH DESCRIPTION\n" + roff(program.get_description()) + "\n.SH COMMANDS\n";
  for (const CLI::App* command : commands_of(program)) text += command_section(*command);
  return text + exit_codes + files;
}

std::string bash_completion(const CLI::App& program) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : commands_of(program)) {
    names.push_back(command->get_name());
    cases += completion_of(*command);
  }
  std::ostringstream text;
  text
      << "# Completion of freeplay in bash, made by `freeplay completion`.\n"
         "_freeplay() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options=\n"
         "  COMPREPLY=()\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \""
      << joined(names, " ") << " --help --version\" -- \"$word\")\n    return\n  fi\n"
      << "  case $previous in\n    " << joined(options_with_value(program, true), " | ")
      << ")\n      compopt -o filenames\n      mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n      return ;;\n    "
      << joined(options_with_value(program, false), " | ") << ") return ;;\n  esac\n"
      << "  case ${COMP_WORDS[1]} in\n"
      << cases
      << "  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$options --help\" -- \"$word\")\n"
         "    return\n"
         "  fi\n"
         "  compopt -o filenames\n"
         "  mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- \"$word\"; compgen -d -- \"$word\")\n"
         "}\n"
         "complete -F _freeplay freeplay\n";
  return text.str();
}

}  // namespace freeplay
