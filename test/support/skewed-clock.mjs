// Loaded with --import: the wall clock of this process is wrong by CLOCK_SKEW_MS. Its monotonic clock is right.
const skew = Number(process.env.CLOCK_SKEW_MS ?? 0);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + skew);
    else super(...given);
  }

  static now() {
    return RealDate.now() + skew;
  }
};
