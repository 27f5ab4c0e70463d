#include "freeplay/results/paraview_writer.h"

#include <array>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include "freeplay/results/pvd_series.h"
#include "paraview_parts.h"

namespace freeplay {

namespace fs = std::filesystem;

namespace {

constexpr const char* folder = "paraview";
constexpr std::array<const char*, 6> part_names = {"bodies", "joints", "beams", "curves", "contacts", "mechanism"};
enum PartNumber { bodies_part, joints_part, beams_part, curves_part, contacts_part, mechanism_part };

std::string part_file(int part, int frame) {
  char name[64];
  std::snprintf(name, sizeof name, "%s/%s_%06d.vtu", folder, part_names[part], frame);
  return name;
}

std::vector<std::string> names_of_bodies(std::span<const ParaviewBody> bodies, std::span<const ParaviewBeam> beams) {
  std::vector<std::string> names;
  for (const ParaviewBody& body : bodies) names.push_back(body.name);
  for (const ParaviewBeam& beam : beams) names.push_back(beam.name);
  return names;
}

std::size_t stations_of(std::span<const ParaviewBeam> beams) {
  std::size_t n = 0;
  for (const ParaviewBeam& beam : beams) n += beam.stations.size();
  return n;
}

fs::path make_folder(const fs::path& directory) {
  fs::create_directories(directory / folder);
  return directory;
}

// Files of dropped frames, and of a frame that was being written when the run was killed.
void remove_frames_from(int first, const fs::path& directory) {
  for (const fs::directory_entry& entry : fs::directory_iterator(directory / folder)) {
    const std::string name = entry.path().filename().string();
    char part[16];
    int number = 0;
    if (std::sscanf(name.c_str(), "%15[a-z]_%d.vtu", part, &number) == 2 && (number >= first || name.ends_with(".tmp")))
      fs::remove(entry.path());
  }
}

}  // namespace

class ParaviewWriter::Impl {
 public:
  Impl(const fs::path& directory, PvdSeries series, std::span<const ParaviewBody> bodies,
       std::span<const ParaviewJoint> joints, std::span<const ParaviewBeam> beams,
       std::span<const ParaviewContact> contacts, const Mechanism* mechanism)
      : directory_(directory),
        series_(std::move(series)),
        n_bodies_(bodies.size()),
        n_joints_(joints.size()),
        n_stations_(stations_of(beams)),
        n_contacts_(contacts.size()),
        body_names_(names_of_bodies(bodies, beams)),
        bodies_(bodies, body_names_),
        joints_(joints),
        beams_(beams, static_cast<int>(n_bodies_), body_names_),
        curves_(beams, static_cast<int>(n_bodies_), body_names_),
        contacts_(contacts) {
    if (mechanism && !mechanism->is_empty()) mechanism_.emplace(*mechanism);
  }

  void continue_series() {
    // First, since it refuses other bodies: then no file may have been removed.
    if (series_.n_frames() > 0) {
      if (n_bodies_ > 0) bodies_.read_first_frame(directory_ / part_file(bodies_part, 0));
      if (n_stations_ > 0) beams_.read_first_frame(directory_ / part_file(beams_part, 0));
      if (n_stations_ > 0) curves_.read_first_frame(directory_ / part_file(curves_part, 0));
    }
    remove_frames_from(series_.n_frames(), directory_);
  }

  void frame(double time, std::span<const BodyPose> poses, std::span<const JointPoint> joints,
             std::span<const BeamStation> stations, std::span<const ContactPoint> contacts,
             std::span<const Vec3> mechanism_points) {
    if (poses.size() != n_bodies_ || joints.size() != n_joints_ || stations.size() != n_stations_ ||
        contacts.size() != n_contacts_)
      throw std::logic_error(
          "ParaviewWriter::frame: one pose per body, point per joint and contact, and all stations are needed");
    files_.clear();
    draw(bodies_part, bodies_, poses);
    draw(joints_part, joints_, joints);
    draw(beams_part, beams_, stations);
    draw(curves_part, curves_, stations);
    draw(contacts_part, contacts_, contacts);
    if (mechanism_) draw(mechanism_part, *mechanism_, mechanism_points);
    std::vector<PvdSeries::Part> parts;
    for (const auto& [part, file] : files_) parts.push_back({part, part_names[part], file});
    series_.add(time, parts);
  }

 private:
  template <class Part, class Item>
  void draw(int number, Part& part, std::span<const Item> items) {
    if (items.empty()) return;
    const std::string file = part_file(number, series_.n_frames());
    part.move(items);
    part.write(directory_ / file);
    files_.emplace_back(number, file);
  }

  fs::path directory_;
  PvdSeries series_;
  std::size_t n_bodies_, n_joints_, n_stations_, n_contacts_;
  std::vector<std::string> body_names_;
  BodyPart bodies_;
  JointPart joints_;
  BeamPart beams_;
  CurvePart curves_;
  ContactPart contacts_;
  std::optional<MechanismPart> mechanism_;
  std::vector<std::pair<int, std::string>> files_;  ///< of the frame being written
};

ParaviewWriter::ParaviewWriter(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

ParaviewWriter::ParaviewWriter(const fs::path& directory, std::span<const ParaviewBody> bodies,
                               std::span<const ParaviewJoint> joints, std::span<const ParaviewBeam> beams,
                               std::span<const ParaviewContact> contacts, const Mechanism* mechanism)
    : impl_(std::make_unique<Impl>(directory, PvdSeries(make_folder(directory) / "model.pvd"), bodies, joints, beams,
                                   contacts, mechanism)) {}

ParaviewWriter ParaviewWriter::resume_at(double time, const fs::path& directory, std::span<const ParaviewBody> bodies,
                                         std::span<const ParaviewJoint> joints, std::span<const ParaviewBeam> beams,
                                         std::span<const ParaviewContact> contacts, const Mechanism* mechanism) {
  PvdSeries series = PvdSeries::resume_at(time, make_folder(directory) / "model.pvd");
  auto impl = std::make_unique<Impl>(directory, std::move(series), bodies, joints, beams, contacts, mechanism);
  impl->continue_series();
  return ParaviewWriter(std::move(impl));
}

ParaviewWriter::ParaviewWriter(ParaviewWriter&&) noexcept = default;
ParaviewWriter& ParaviewWriter::operator=(ParaviewWriter&&) noexcept = default;
ParaviewWriter::~ParaviewWriter() = default;

void ParaviewWriter::frame(double time, std::span<const BodyPose> poses, std::span<const JointPoint> joints,
                           std::span<const BeamStation> stations, std::span<const ContactPoint> contacts,
                           std::span<const Vec3> mechanism_points) {
  impl_->frame(time, poses, joints, stations, contacts, mechanism_points);
}

}  // namespace freeplay
