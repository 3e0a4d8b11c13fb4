// Parses and prints durations and times of day.

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses 30s, 5m, 2h or 7d. Undefined for any other text. */
export function toMilliseconds(text: string): number | undefined {
  const [, amount, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return amount === undefined || unit === undefined ? undefined : Number(amount) * units[unit]!
}

/** Prints a duration in the largest of the units d, h, m and s that divides it exactly, else in ms. */
export function toDuration(milliseconds: number): string {
  const [unit, length] = Object.entries(units).findLast(([, unitMs]) => milliseconds % unitMs === 0) ?? ["ms", 1]
  return `${milliseconds / length}${unit}`
}

/** Prints a duration for people: 45 s, 5 min, 3 h, 2 days. Rounded up, so that time that is left never reads 0. */
export function inWords(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1_000))
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  if (minutes < 100) return `${minutes} min`
  const hours = Math.ceil(minutes / 60)
  return hours < 48 ? `${hours} h` : `${Math.ceil(hours / 24)} days`
}

/** The local time of day, with the date unless it is today. */
export function clockTime(instant: number, now: number): string {
  const date = dateOf(instant)
  const time = new Date(instant).toTimeString().slice(0, 8)
  return date === dateOf(now) ? time : `${date} ${time}`
}

function dateOf(instant: number): string {
  const date = new Date(instant)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-")
}
