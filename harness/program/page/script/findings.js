// SPDX-License-Identifier: Apache-2.0
// Where is the bottleneck, and when: computed from the recording, told in sentences.

/** The bins [from, to) in which `values` stay mostly above half of their peak: the segment with the largest sum of
 * (value - half the peak). */
function busyTime(values) {
    const threshold = d3.max(values) / 2;
    let best = { from: 0, to: 0, sum: 0 }, from = 0, sum = 0;
    for (let k = 0; k < values.length; k++) {
        sum += values[k] - threshold;
        if (sum > best.sum) best = { from, to: k + 1, sum };
        if (sum <= 0) {
            sum = 0;
            from = k + 1;
        }
    }
    return best.to > 0 ? best : { from: 0, to: values.length };
}

/** The channel with the most of `value`, of several that with the most of `tie`, then a link. */
function most(recording, value, tie) {
    let best = -1, same = 0;
    for (let c = 0; c < recording.count; c++) {
        if (best < 0 || value[c] > value[best]) {
            best = c;
            same = 0;
            continue;
        }
        if (value[c] < value[best]) continue;
        same++;
        if (tie[c] > tie[best] || (tie[c] === tie[best] && recording.isLink(c) && !recording.isLink(best))) best = c;
    }
    return { channel: best, same };
}

/** What is found: [{ mark, channel, from, to, lead, text }], at most three channels. */
function findings(recording) {
    if (!recording.bins || recording.count === 0) return [];
    const flits = recording.sum("flits", 0, recording.bins);
    const contended = recording.sum("contended", 0, recording.bins);
    const starved = recording.sum("starved", 0, recording.bins);
    const waiting = contended.map((value, c) => value + starved[c]);
    const busy = most(recording, flits, waiting);
    if (flits[busy.channel] === 0) return [];
    const ret = [busiest(recording, busy)];
    const wait = most(recording, waiting, flits);
    if (!recording.hasTaps || waiting[wait.channel] === 0) return ret;
    ret.push(waitingMost(recording, wait, waiting, starved));
    const end = follow(recording, wait.channel, waiting, starved);
    if (end !== null && end !== wait.channel && end !== busy.channel)
        ret.push(backPressure(recording, end, waiting));
    else if (end === busy.channel && end !== wait.channel)
        ret[1].text += " The back-pressure comes from A.";
    return ret;
}

function useIn(recording, values, when) {
    return d3.sum(values.slice(when.from, when.to)) / recording.cycles(when.from, when.to);
}

/** "71 % used in cycles 12 to 40, 44 % in the whole run". */
function useWords(recording, values, when) {
    const text = `${percent(useIn(recording, values, when))} used in ${whenWords(recording, when)}`;
    if (when.to - when.from > 0.8 * recording.bins) return text;
    return `${text}, ${percent(useIn(recording, values, { from: 0, to: recording.bins }))} in the whole run`;
}

function whenWords(recording, when) {
    return cycleRange(recording.firstCycle(when.from), recording.lastCycle(when.to));
}

function busiest(recording, { channel, same }) {
    const values = recording.over("flits", channel), when = busyTime(values);
    const others = same ? `; ${plural(same, "other channel")} carried as many words` : "";
    return { mark: "A", channel, ...when, lead: "Busiest",
        text: `${recording.channelTitle(channel)}: ${useWords(recording, values, when)}${others}.` };
}

function waitingMost(recording, { channel }, waiting, starved) {
    const c = recording.over("contended", channel), s = recording.over("starved", channel);
    const values = c.map((value, k) => value + s[k]), when = busyTime(values);
    const share = starved[channel] / waiting[channel];
    const why = share > 0.5 ? `${percent(share)} of it because the next buffer was full (back-pressure)`
        : `${percent(1 - share)} of it because other packets used it`;
    return { mark: "B", channel, ...when, lead: "Most waiting",
        text: `${recording.channelTitle(channel)}: flits waited ${plural(waiting[channel], "cycle")} for it, `
            + `mostly in ${whenWords(recording, when)}; ${why}.` };
}

/** From a channel whose flits wait mostly for space, go on to the channel for which most wait, until one is contended.
 * Null if that leads nowhere. */
function follow(recording, channel, waiting, starved) {
    const seen = new Set();
    for (let c = channel; !seen.has(c);) {
        seen.add(c);
        if (starved[c] < 0.6 * waiting[c] || !recording.isLink(c)) return c;
        const next = recording.next(c);
        if (next.length === 0) return null;
        c = next.reduce((best, other) => (waiting[other] > waiting[best] ? other : best));
        if (waiting[c] === 0) return null;
    }
    return null; // a circle
}

function backPressure(recording, channel, waiting) {
    const values = recording.over("flits", channel), when = busyTime(values);
    return { mark: "C", channel, ...when, lead: "Back-pressure comes from",
        text: `${recording.channelTitle(channel)}: ${useWords(recording, values, when)}; `
            + `flits waited ${plural(waiting[channel], "cycle")} for it.` };
}
