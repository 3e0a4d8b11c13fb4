// How long a question stays open: in words while there is time, in seconds in the last minute.

import type { Say } from "./texts.ts"

export interface Countdown {
  stop(): void
}

export interface CountdownParts {
  readonly say: Say
  readonly language: string
  /** When the question ends, in milliseconds since 1970. */
  readonly expiresAt: number
  /** The server's clock. */
  readonly now: () => number
  show(words: string, isLastMinute: boolean): void
  /** Called once, when the last minute begins. */
  onLastMinute(): void
  onExpired(): void
}

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000]

export function startCountdown(parts: CountdownParts): Countdown {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isTold = false
  const tick = (): void => {
    const left = parts.expiresAt - parts.now()
    if (left <= 0) {
      parts.onExpired()
      return
    }
    const isLastMinute = left <= minuteMs
    parts.show(wordsFor(parts, left), isLastMinute)
    if (isLastMinute && !isTold) {
      isTold = true
      parts.onLastMinute()
    }
    // To the next change of the words; a day at most, because longer timers overflow.
    const every = isLastMinute ? secondMs : left <= hourMs ? minuteMs : hourMs
    timer = setTimeout(
      tick,
      Math.min(
        isLastMinute ? every : Math.max(left % every, secondMs),
        left - minuteMs > 0 ? left - minuteMs : secondMs,
        dayMs,
      ),
    )
  }
  tick()
  return { stop: () => clearTimeout(timer) }
}

function wordsFor({ say, language }: CountdownParts, left: number): string {
  if (left <= minuteMs) return say("secondsLeft", { seconds: Math.ceil(left / secondMs) })
  const [unit, ms] =
    left < hourMs
      ? (["minute", minuteMs] as const)
      : left < 2 * dayMs
        ? (["hour", hourMs] as const)
        : (["day", dayMs] as const)
  const when = new Intl.RelativeTimeFormat(language, { numeric: "always" }).format(Math.floor(left / ms), unit)
  return say("expires", { when })
}
