// Preloaded into a node whose clock is wrong: shifts Date of that process, and nothing else.

const shift = Number(process.env.STORM_SHIFT_MS ?? 0)
const RealDate = Date
const now = () => RealDate.now() + shift

globalThis.Date = new Proxy(RealDate, {
  construct: (_target, given, newTarget) =>
    Reflect.construct(RealDate, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === "now" ? now : Reflect.get(target, name, receiver)),
})
