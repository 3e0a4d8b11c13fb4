// Quiet hours: when a person wants no messages, in their local time. Pure; the rules of time zones are those of
// the JavaScript runtime (IANA time zone database).

/** `from` and `to` are times of day, such as 22:00. When `from` is later than `to`, the hours span midnight. */
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

/** The end of the quiet hours that contain this moment; undefined outside of quiet hours. */
export function quietUntil({ from, to, zone }: QuietHours, moment: number): number | undefined {
  const [beginMinute, endMinute] = [toMinutes(from), toMinutes(to)]
  if (beginMinute === undefined || endMinute === undefined || beginMinute === endMinute) return undefined
  const isQuiet = (time: number): boolean => {
    const minuteOfDay = localMinutes(zone, time)
    return beginMinute < endMinute
      ? minuteOfDay >= beginMinute && minuteOfDay < endMinute
      : minuteOfDay >= beginMinute || minuteOfDay < endMinute
  }
  if (!isQuiet(moment)) return undefined
  let time = Math.floor(moment / minute) * minute
  // Jumps close to the end and steps by minutes from there: clocks may change in between, by three hours at most.
  while (isQuiet(time)) {
    const minutesLeft = (endMinute - localMinutes(zone, time) + minutesOfDay) % minutesOfDay
    time += (minutesLeft > largestClockChange ? minutesLeft - largestClockChange : 1) * minute
  }
  return time
}

const largestClockChange = 180

/** What is wrong with the quiet hours, by field. */
export function quietHoursProblems({ from, to, zone }: Omit<QuietHours, "urgent">): readonly {
  readonly path: "from" | "to" | "zone"
  readonly message: string
}[] {
  return [
    ...(toMinutes(from) === undefined ? [{ path: "from", message: timeWords } as const] : []),
    ...(toMinutes(to) === undefined ? [{ path: "to", message: timeWords } as const] : []),
    ...(from === to ? [{ path: "to", message: "must differ from the start time" } as const] : []),
    ...(isZone(zone) ? [] : [{ path: "zone", message: "must be a time zone such as Europe/Berlin" } as const]),
  ]
}

const timeWords = "must be a time of day such as 22:00"

function toMinutes(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

function isZone(zone: string): boolean {
  // The runtime also accepts offsets such as +01:00, which have no daylight saving time.
  if (!/^[A-Za-z]/.test(zone) || zone.length > 64) return false
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: zone })
    return true
  } catch {
    return false
  }
}

/** The minutes since midnight in local time. */
function localMinutes(zone: string, time: number): number {
  const clock = clockOf(zone)
  const [hours = 0, minutes = 0] = clock.format(time).split(":").map(Number)
  return (hours % 24) * 60 + minutes
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone })
  clocks.set(zone, clock)
  return clock
}

const clocks = new Map<string, Intl.DateTimeFormat>()
