#pragma once

#include <memory>

#include "freeplay/analysis/observer.h"
#include "freeplay/solver/mpi_team.h"

namespace freeplay {

/// The observer of one of several processes: only the first one writes, and all stop together when it is interrupted.
class TeamObserver : public Observer {
 public:
  /// `writer`: the observer of the first process; null on the others.
  TeamObserver(const MpiTeam& team, Observer* writer) : team_(team), writer_(writer) {}

  void record(const Snapshot& snapshot) override {
    if (writer_) writer_->record(snapshot);
  }
  void picture(const Snapshot& snapshot) override {
    if (writer_) writer_->picture(snapshot);
  }
  void progress(const TimeStepper& stepper, const StepReport& report, double dt) override {
    if (writer_) writer_->progress(stepper, report, dt);
  }
  void message(const std::string& text) override {
    if (writer_) writer_->message(text);
  }
  void event(const Event& event) override {
    if (writer_) writer_->event(event);
  }
  bool interrupted() const override { return team_.agreed(writer_ && writer_->interrupted()); }
  void keep(const Continuation& continuation) override {
    if (writer_) writer_->keep(continuation);
  }
  void save() override {
    if (writer_) writer_->save();
  }

 private:
  const MpiTeam& team_;
  Observer* writer_;
};

}  // namespace freeplay
