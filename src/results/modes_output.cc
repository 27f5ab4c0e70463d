#include "freeplay/results/modes_output.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numbers>

#include "freeplay/base/units.h"
#include "freeplay/results/model_pictures.h"

namespace freeplay {

namespace {

const char* name_of(Mode::Kind kind) {
  switch (kind) {
    case Mode::Kind::vibration:
      return "vibration";
    case Mode::Kind::rigid:
      return "rigid";
    case Mode::Kind::decay:
      return "decay";
    case Mode::Kind::unstable:
      return "unstable";
  }
  return "";
}

const char* name_of(ModesRequest::About about) {
  switch (about) {
    case ModesRequest::About::assembled:
      return "assembled";
    case ModesRequest::About::rest:
      return "static";
    case ModesRequest::About::rotation:
      return "rotation";
  }
  return "";
}

std::string folder_of(std::size_t mode) {
  char name[32];
  std::snprintf(name, sizeof name, "mode_%02zu", mode + 1);
  return name;
}

std::string describe_state(const EngineJob& job, const Modes& modes) {
  switch (job.modes->about) {
    case ModesRequest::About::assembled:
      return "modes of the assembled model, without gravity and loads";
    case ModesRequest::About::rest:
      return "modes about the position of rest under gravity and loads";
    case ModesRequest::About::rotation:
      break;
  }
  const Vec3 axis = modes.rotation.velocity.normalized();
  return "modes about steady rotation at " + rounded_text(modes.rotation.velocity.norm()) + " rad/s, axis (" +
         rounded_text(axis.x()) + ", " + rounded_text(axis.y()) + ", " + rounded_text(axis.z()) +
         "); frequencies as seen by an observer who turns with it";
}

/// Factor by which a shape is drawn: not so large that rotations look bent.
double drawn_size(const Mode& mode, double length) {
  constexpr double part_of_model = 0.1, angle = 0.3;
  double displacement = 0.0, rotation = 0.0;
  for (const Mode::Twist& twist : mode.shape) {
    displacement = std::max(displacement, twist.head<3>().norm());
    rotation = std::max(rotation, twist.tail<3>().norm());
  }
  return std::min(part_of_model * length / displacement, angle / rotation);
}

}  // namespace

std::string modes_table(const EngineJob& job, const Modes& modes) {
  const bool with_decay = modes.damped || std::ranges::any_of(modes.modes, [](const Mode& mode) {
                            return mode.kind == Mode::Kind::unstable || mode.kind == Mode::Kind::decay;
                          });
  std::string text = job.model.title.empty() ? "" : job.model.title + "\n";
  text += describe_state(job, modes) + "\n";
  text += std::string("  mode        rad/s           Hz") + (with_decay ? "  decay [1/s]  damping ratio" : "") +
          "  kind       moves most\n";
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    char line[256];
    std::snprintf(line, sizeof line, "  %4zu %12.6g %12.6g", k + 1, mode.angular_frequency(),
                  mode.angular_frequency() / two_pi);
    text += line;
    if (with_decay) {
      std::snprintf(line, sizeof line, " %12.4g %14.4g", mode.decay_rate(), mode.damping_ratio());
      text += line;
    }
    std::snprintf(line, sizeof line, "  %-9s  %.64s (%.0f %%)\n", name_of(mode.kind), mode.body.c_str(),
                  100.0 * mode.share);
    text += line;
  }
  return text;
}

nlohmann::json modes_json(const EngineJob& job, const Modes& modes) {
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    list.push_back({{"number", k + 1},
                    {"angular_frequency", mode.angular_frequency()},
                    {"frequency_hz", mode.angular_frequency() / two_pi},
                    {"kind", name_of(mode.kind)},
                    {"decay_rate", mode.decay_rate()},
                    {"damping_ratio", mode.damping_ratio()},
                    {"body", mode.body},
                    {"body_share", mode.share}});
    if (job.modes->paraview) list.back()["paraview"] = folder_of(k) + "/model.pvd";
  }
  nlohmann::json result{{"model", job.model.file},
                        {"title", job.model.title},
                        {"about", name_of(job.modes->about)},
                        {"results", job.output_directory},
                        {"modes", list}};
  if (modes.rotation.rotates()) {
    const Vec3 axis = modes.rotation.velocity.normalized();
    result["speed"] = modes.rotation.velocity.norm();
    result["axis"] = {axis.x(), axis.y(), axis.z()};
  }
  return result;
}

void write_mode_pictures(const EngineJob& job, const Modes& modes) {
  constexpr int n_frames = 24;
  const Model& model = job.assembled->model;
  for (std::size_t k = 0; k < modes.modes.size(); ++k) {
    const Mode& mode = modes.modes[k];
    const std::filesystem::path directory = std::filesystem::path(job.output_directory) / folder_of(k);
    std::filesystem::create_directory(directory);
    ModelPictures pictures(job.model, *job.assembled, directory);
    const double size = drawn_size(mode, model.length_scale);
    const double period = mode.angular_frequency() > 0.0 ? two_pi / mode.angular_frequency() : 1.0;
    State state = modes.state;
    for (int f = 0; f < n_frames; ++f) {
      // Starts a quarter of a period early: the first frame, from which displacements count, is the reference state.
      const std::complex<double> phase = std::polar(size, two_pi * (static_cast<double>(f) / n_frames - 0.25));
      state.time = period * f / n_frames;
      for (std::size_t n = 0; n < state.pose.size(); ++n)
        state.pose[n] = moved(modes.state.pose[n], (mode.shape[n] * phase).real());
      pictures.frame(state.time, state, modes.state.multiplier);
    }
  }
}

}  // namespace freeplay
