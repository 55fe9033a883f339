// SPDX-License-Identifier: Apache-2.0
// What is shown now: an interval of bins, a measure, a selection. Parts of the page listen; none knows another.

class View {
    constructor(recording) {
        this.recording = recording;
        this.from = 0;
        this.to = recording.bins;
        this.measure = "use";
        this.selection = null; // { kind: "channel" | "node" | "packet", id }
        this.circle = [];      // channels of a deadlock
        this.showCircle = false;
        this.listeners = {};
        this.timer = null;
    }

    /** Listen to changes of "time" (interval or measure) or "selection". */
    on(what, listener) { (this.listeners[what] = this.listeners[what] || []).push(listener); }
    emit(what) { (this.listeners[what] || []).forEach((listener) => listener(this)); }

    get isWhole() { return this.from === 0 && this.to === this.recording.bins; }
    get width() { return this.to - this.from; }

    /** The interval in words. */
    get when() {
        const { recording, from, to } = this;
        const range = cycleRange(recording.firstCycle(from), recording.lastCycle(to));
        return this.isWhole ? `whole run, ${range}` : range;
    }

    setTime(from, to) {
        const bins = this.recording.bins;
        from = Math.max(0, Math.min(bins - 1, Math.round(from)));
        to = Math.max(from + 1, Math.min(bins, Math.round(to)));
        if (from === this.from && to === this.to) return;
        this.from = from;
        this.to = to;
        this.emit("time");
        if (!this.timer) announce(`Showing ${this.when}`);
    }

    /** Move the interval, keeping its width; from the whole run go to one bin. */
    moveTo(from) {
        const width = this.isWhole ? 1 : this.width, last = this.recording.bins - width;
        from = Math.max(0, Math.min(last, from));
        this.setTime(from, from + width);
    }

    step(by) { this.moveTo(this.isWhole ? (by > 0 ? 0 : this.recording.bins - 1) : this.from + by); }

    wholeRun() { this.setTime(0, this.recording.bins); }

    /** The smallest interval of bins with these cycles. */
    showCycles(first, last) {
        const { time } = this.recording;
        this.setTime(Math.floor((first - time.first) / time.bin), Math.floor((last - time.first) / time.bin) + 1);
    }

    setMeasure(measure) {
        this.measure = measure;
        this.emit("time");
    }

    select(selection) {
        this.selection = selection;
        this.showCircle = false;
        this.emit("selection");
    }

    isSelected(kind, id) {
        return this.selection !== null && this.selection.kind === kind && this.selection.id === id;
    }

    showDeadlock() {
        this.selection = null;
        this.showCircle = true;
        this.emit("selection");
    }

    get playing() { return this.timer !== null; }

    /** Play from here to the end within about 12 seconds; again at the end: from the start. */
    play() {
        if (this.playing) return this.pause();
        const bins = this.recording.bins, width = this.isWhole ? 1 : this.width;
        if (this.isWhole || this.to >= bins) this.setTime(0, width);
        const each = Math.max(40, Math.min(400, 12000 / bins)), stride = Math.ceil(bins * each / 12000 / 1.01);
        this.timer = setInterval(() => {
            if (this.to >= bins) this.pause();
            else this.moveTo(this.from + Math.max(1, Math.min(stride, bins - this.to)));
        }, each);
        this.emit("time");
    }

    pause() {
        clearInterval(this.timer);
        this.timer = null;
        this.emit("time");
        announce(`Paused at ${this.when}`);
    }
}
