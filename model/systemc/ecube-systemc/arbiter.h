// SPDX-License-Identifier: Apache-2.0
// Round robin: docs/ROUTER-CONTRACT.md, 6.3 and 6.4. Knows only numbers of requesters.
#ifndef ECUBE_SYSTEMC_ARBITER_H
#define ECUBE_SYSTEMC_ARBITER_H

namespace ecube
{

class arbiter
{
  public:
    static constexpr unsigned nobody = ~0u;

    void reset(unsigned requesters)
    {
        requesters_ = requesters;
        pointer_ = 0;
        begin();
    }

    // Begin a cycle, without requests.
    void begin() { winner_ = nobody; }

    // The winner is the first request at or after the pointer, with wrap-around.
    void request(unsigned i)
    {
        if (winner_ == nobody || distance(i) < distance(winner_))
            winner_ = i;
    }
    unsigned winner() const { return winner_; }
    unsigned pointer() const { return pointer_; }

    // The winner goes last from now on.
    void advance() { pointer_ = (winner_ + 1) % requesters_; }

  private:
    unsigned distance(unsigned i) const
    {
        return i >= pointer_ ? i - pointer_ : i + requesters_ - pointer_;
    }

    unsigned requesters_ = 1, pointer_ = 0, winner_ = nobody;
};

} // namespace ecube

#endif
