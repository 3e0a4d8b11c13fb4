// Divides the places of a due queue among the receivers of its records, so that receivers that hang do not hold up the
// others: each receiver has a lane, which begins with one place, earns more by being quick, and loses them by being slow.

export interface LaneRule<R> {
  /** The receiver of a record. */
  readonly keyOf: (record: R) => string
  /** The most places of one receiver. */
  readonly limit: number
}

export interface Lanes {
  /** Whether all places of the queue are taken. */
  isFull(): boolean
  /** Whether another record of this lane may begin, if the queue is not full. */
  hasPlace(lane: string): boolean
  begin(lane: string): void
  end(lane: string, tookMs: number): void
}

/** The places of a queue. */
const mostAtOnce = 16
/** The most places that all slow lanes together may take. */
const mostSlow = 8
/** A record that took this long makes its lane slow. */
const slowMs = 3_000
/** The most idle lanes that are remembered: the oldest is forgotten, and begins with one place again. */
const mostIdle = 1_000

interface Lane {
  busy: number
  places: number
  isSlow: boolean
}

const newLane = (): Lane => ({ busy: 0, places: 1, isSlow: false })

/** With an infinite limit, the lanes share all places. */
export function createLanes(limit: number): Lanes {
  const lanes = new Map<string, Lane>()
  let busy = 0
  const isShared = limit === Number.POSITIVE_INFINITY
  const slowBusy = (): number => [...lanes.values()].reduce((sum, lane) => sum + (lane.isSlow ? lane.busy : 0), 0)
  const forgetIdle = (): void => {
    if (lanes.size <= mostIdle) return
    for (const [key, lane] of lanes) if (lane.busy === 0) return void lanes.delete(key)
  }
  return {
    isFull: () => busy >= mostAtOnce,
    hasPlace(key) {
      if (isShared) return true
      const lane = lanes.get(key) ?? newLane()
      return lane.busy < lane.places && (!lane.isSlow || slowBusy() < mostSlow)
    },
    begin(key) {
      busy += 1
      const lane = lanes.get(key) ?? newLane()
      lanes.set(key, lane)
      lane.busy += 1
      forgetIdle()
    },
    end(key, tookMs) {
      busy -= 1
      const lane = lanes.get(key)
      if (lane === undefined) return
      lane.busy -= 1
      lane.isSlow = tookMs >= slowMs
      lane.places = lane.isSlow ? 1 : Math.min(limit, lane.places * 2)
    },
  }
}
