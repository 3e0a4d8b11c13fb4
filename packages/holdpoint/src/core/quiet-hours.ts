// Quiet hours: when a person wants no messages, by the clock on their wall. Pure; the rules of time zones are those of
// the JavaScript runtime (IANA time zone database).

/** `from` and `to` are times of day, such as 22:00. When `from` is later, the night lies between. */
export interface QuietHours {
  readonly from: string
  readonly to: string
  /** An IANA time zone, such as Europe/Berlin. */
  readonly zone: string
  /** Whether a question that ends within the quiet hours is still sent. */
  readonly urgent: boolean
}

const minute = 60_000
const minutesOfDay = 24 * 60

/** When the quiet hours end that this moment lies in; undefined outside of quiet hours. */
export function quietUntil({ from, to, zone }: QuietHours, at: number): number | undefined {
  const [begin, end] = [toMinutes(from), toMinutes(to)]
  if (begin === undefined || end === undefined || begin === end) return undefined
  const isQuiet = (time: number): boolean => {
    const now = wallMinutes(zone, time)
    return begin < end ? now >= begin && now < end : now >= begin || now < end
  }
  if (!isQuiet(at)) return undefined
  let time = Math.floor(at / minute) * minute
  // Jumps near the end, and goes on in minutes from there: clocks may be changed in between, by three hours at most.
  while (isQuiet(time)) {
    const left = (end - wallMinutes(zone, time) + minutesOfDay) % minutesOfDay
    time += (left > mostChange ? left - mostChange : 1) * minute
  }
  return time
}

const mostChange = 180

/** What is wrong with the quiet hours, by field. */
export function quietHoursProblems({ from, to, zone }: Omit<QuietHours, "urgent">): readonly {
  readonly path: "from" | "to" | "zone"
  readonly message: string
}[] {
  return [
    ...(toMinutes(from) === undefined ? [{ path: "from", message: timeWords } as const] : []),
    ...(toMinutes(to) === undefined ? [{ path: "to", message: timeWords } as const] : []),
    ...(from === to ? [{ path: "to", message: "must be another time than the beginning" } as const] : []),
    ...(isZone(zone) ? [] : [{ path: "zone", message: "must be a time zone such as Europe/Berlin" } as const]),
  ]
}

const timeWords = "must be a time of day such as 22:00"

function toMinutes(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

function isZone(zone: string): boolean {
  // Offsets such as +01:00 are accepted by the runtime, and know no daylight saving time.
  if (!/^[A-Za-z]/.test(zone) || zone.length > 64) return false
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The minutes since midnight on the wall. */
function wallMinutes(zone: string, at: number): number {
  const clock = clockOf(zone)
  const [hours = 0, minutes = 0] = clock.format(at).split(":").map(Number)
  return (hours % 24) * 60 + minutes
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone })
  clocks.set(zone, known)
  return known
}

const clocks = new Map<string, Intl.DateTimeFormat>()
