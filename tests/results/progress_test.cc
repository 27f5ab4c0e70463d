#include "freeplay/results/progress.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/file_testing.h"

namespace freeplay {
namespace {

using namespace std::chrono_literals;

// Collects what a Progress writes, with a clock that the test moves.
class Screen {
 public:
  explicit Screen(Progress::Style style)
      : descriptor_(open((tmp_ / "screen").c_str(), O_WRONLY | O_CREAT, 0666)), progress_(descriptor_, style) {}
  ~Screen() { close(descriptor_); }

  void update(double time, std::chrono::milliseconds at) {
    const auto now = Progress::Clock::time_point(100h) + at;
    if (progress_.is_due(time, 10.0, now))
      progress_.show({time, 10.0, 1e-3, "contact T", -2e-9, ContactCounts{4, 1, 2}}, now);
  }
  void finish() { progress_.finish(); }
  std::string text() const { return file_text(tmp_ / "screen"); }
  long n_lines() const { return count('\n'); }
  long n_drawings() const { return count('\r'); }

 private:
  long count(char c) const {
    const std::string all = text();
    return std::count(all.begin(), all.end(), c);
  }
  TemporaryDirectory tmp_;
  int descriptor_;
  Progress progress_;
};

// Protects: the line shows what it promises, with the remaining time from the speed so far.
TEST(Progress, plain_line_has_all_numbers) {
  Screen screen(Progress::Style::plain);
  screen.update(0.0, 0s);
  screen.update(2.5, 30s);
  EXPECT_EQ(screen.text(),
            " 25.0%  t 2.5 s  dt 1.0e-03 s for contact T  free/stick/slip 4/1/2  energy -2.0e-09 J  ETA 1:30\n");
}

// Protects: logs stay short: a line per 10 s, or per tenth if that is not more than one a second.
TEST(Progress, plain_lines_are_few) {
  Screen slow(Progress::Style::plain);
  for (int i = 0; i <= 300; ++i) slow.update(i * 1e-3, 100ms * i);
  EXPECT_EQ(slow.n_lines(), 3);
  Screen quick(Progress::Style::plain);
  for (int i = 0; i <= 1000; ++i) quick.update(i * 1e-2, 1ms * i / 2);
  EXPECT_EQ(quick.n_lines(), 0);
  Screen usual(Progress::Style::plain);
  for (int i = 0; i <= 1000; ++i) usual.update(i * 1e-2, 50ms * i);
  EXPECT_EQ(usual.n_lines(), 10);
}

// Protects: a continued run estimates from its own start, not from zero.
TEST(Progress, remaining_time_counts_from_where_the_run_started) {
  Screen screen(Progress::Style::plain);
  screen.update(5.0, 0s);
  screen.update(6.0, 10s);
  EXPECT_TRUE(contains(screen.text(), "ETA 0:40\n"));
}

// Protects: a run that has become ten times slower is not said to end soon.
TEST(Progress, remaining_time_follows_the_recent_speed) {
  Screen screen(Progress::Style::plain);
  for (int i = 0; i <= 100; ++i) screen.update(0.05 * i, 1s * i);               // half of it in 100 s
  for (int i = 1; i <= 60; ++i) screen.update(5.0 + 0.005 * i, 100s + 1s * i);  // then 0.3 s in a minute
  // 4.7 s are left, at 0.005 s per second.
  EXPECT_TRUE(contains(screen.text().substr(screen.text().rfind('%')), "ETA 15:40\n"));
}

// Protects: the bar costs at most ten drawings a second, and finish() leaves a clean line.
TEST(Progress, bar_is_drawn_at_most_ten_times_a_second_and_cleared) {
  Screen screen(Progress::Style::terminal);
  for (int i = 0; i < 1000; ++i) screen.update(i * 1e-3, 1ms * i);
  EXPECT_EQ(screen.n_drawings(), 10);
  screen.finish();
  EXPECT_TRUE(screen.text().ends_with("\r\x1b[K"));
  const std::string cleared = screen.text();
  screen.finish();
  EXPECT_EQ(screen.text(), cleared);
}

// Protects: an end time of zero or numbers that are not finite do not crash the display of a run.
TEST(Progress, senseless_numbers_are_survived) {
  TemporaryDirectory tmp;
  const int file = open((tmp / "screen").c_str(), O_WRONLY | O_CREAT, 0666);
  Progress progress(file, Progress::Style::terminal);
  EXPECT_TRUE(progress.is_due(0.0, 0.0));
  progress.show({0.0, 0.0, 0.0, "", std::nan(""), {}});
  progress.clear();
  EXPECT_TRUE(progress.is_due(std::nan(""), 1.0));
  progress.show({std::nan(""), 1.0, 1e300, std::string(1000, 'x'), 1e300, {}});
  close(file);
  EXPECT_TRUE(contains(file_text(tmp / "screen"), "dt"));
}

// Protects: on a terminal the bar is chosen by itself and never wider than the terminal, where it could not be redrawn.
TEST(Progress, terminal_is_recognised_and_its_width_kept) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_TRUE(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0) << "no pseudo terminals";
  const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  for (const unsigned short width : {40, 120}) {
    const winsize size{24, width, 0, 0};
    ASSERT_EQ(ioctl(master, TIOCSWINSZ, &size), 0);
    Progress progress(terminal, Progress::Style::automatic);
    ASSERT_TRUE(progress.is_due(5.0, 10.0));
    progress.show({5.0, 10.0, 1e-3, "", 0.0, {}});
    // A terminal hands on what it gets in parts, and may still have what was cleared before.
    std::string line;
    for (char text[1000]; !contains(line, "%") || !line.ends_with("\x1b[K");) {
      const ssize_t length = read(master, text, sizeof text);
      ASSERT_GT(length, 0);
      line.append(text, static_cast<std::size_t>(length));
    }
    line.erase(0, line.rfind('\r'));
    const std::size_t end = line.find("\x1b[K");
    ASSERT_NE(end, std::string::npos);
    EXPECT_LT(end - 1, width) << line;
    EXPECT_EQ(line.front(), '\r');
    EXPECT_EQ(line.find('#') != std::string::npos, width == 120) << line;
  }
  close(terminal);
  close(master);
}

}  // namespace
}  // namespace freeplay
