// SPDX-License-Identifier: Apache-2.0
// An input VC: a FIFO of words (docs/ROUTER-CONTRACT.md, 4.4). Knows words; must not know credits.
#ifndef ECUBE_SYSTEMC_BUFFER_H
#define ECUBE_SYSTEMC_BUFFER_H

#include <vector>

#include "word.h"

namespace ecube
{

class buffer
{
  public:
    void reset(unsigned depth)
    {
        places_.assign(depth, no_word);
        first_ = count_ = tails_ = 0;
    }
    bool is_empty() const { return count_ == 0; }
    bool is_full() const { return count_ == places_.size(); }
    word front() const { return places_[first_]; }

    // Packets arrive contiguously and in order, so the tail of the front flit has arrived iff any
    // tail has (7.2).
    bool has_tail() const { return tails_ > 0; }

    void push(word w)
    {
        const std::size_t at = first_ + count_;
        places_[at < places_.size() ? at : at - places_.size()] = w;
        count_++;
        tails_ += is_tail(w);
    }
    void pop()
    {
        tails_ -= is_tail(front());
        first_ = first_ + 1 < places_.size() ? first_ + 1 : 0;
        count_--;
    }

  private:
    std::vector<word> places_;
    std::size_t first_ = 0, count_ = 0, tails_ = 0;
};

} // namespace ecube

#endif
