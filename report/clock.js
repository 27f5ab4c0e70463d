// The one time that animation, plots and orbits show.
export class Clock {
  constructor(start, end) {
    this.start = start;
    this.end = end;
    this.time = start;
    this.playing = false;
    this.rate = 1;  // time of the model per second
    this.listeners_ = [];
    this.state_listeners_ = [];
  }

  on_time(listener) {
    this.listeners_.push(listener);
    listener(this.time);
  }

  on_state(listener) { this.state_listeners_.push(listener); }

  set(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    for (const listener of this.listeners_) listener(this.time);
  }

  toggle() { this.playing ? this.pause() : this.play(); }

  play() {
    if (this.playing || !(this.end > this.start)) return;
    if (this.time >= this.end) this.set(this.start);
    this.playing = true;
    this.tell_state_();
    let last = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      const next = this.time + (Math.max(now - last, 0) / 1000) * this.rate;
      last = now;
      this.set(next > this.end ? this.start : next);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.tell_state_();
  }

  tell_state_() {
    for (const listener of this.state_listeners_) listener(this.playing);
  }
}
