// Shows how long a question stays open: in minutes, hours or days, and in seconds during the last minute.

import type { Translate } from "./texts.ts"

export interface Countdown {
  stop(): void
}

export interface CountdownParts {
  readonly translate: Translate
  readonly language: string
  /** When the question ends, in milliseconds since 1970. */
  readonly expiresAt: number
  /** The server's clock. */
  readonly now: () => number
  show(text: string, isLastMinute: boolean): void
  /** Called once, when the last minute begins. */
  onLastMinute(): void
  onExpired(): void
}

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000]

export function startCountdown(parts: CountdownParts): Countdown {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLastMinuteReported = false
  const tick = (): void => {
    const leftMs = parts.expiresAt - parts.now()
    if (leftMs <= 0) {
      parts.onExpired()
      return
    }
    const isLastMinute = leftMs <= minuteMs
    parts.show(timeLeftText(parts, leftMs), isLastMinute)
    if (isLastMinute && !isLastMinuteReported) {
      isLastMinuteReported = true
      parts.onLastMinute()
    }
    // Waits until the text changes next, and a day at most, because longer timers overflow.
    const intervalMs = isLastMinute ? secondMs : leftMs <= hourMs ? minuteMs : hourMs
    timer = setTimeout(
      tick,
      Math.min(
        isLastMinute ? intervalMs : Math.max(leftMs % intervalMs, secondMs),
        leftMs - minuteMs > 0 ? leftMs - minuteMs : secondMs,
        dayMs,
      ),
    )
  }
  tick()
  return { stop: () => clearTimeout(timer) }
}

function timeLeftText({ translate, language }: CountdownParts, leftMs: number): string {
  if (leftMs <= minuteMs) return translate("secondsLeft", { seconds: Math.ceil(leftMs / secondMs) })
  const [unit, ms] =
    leftMs < hourMs
      ? (["minute", minuteMs] as const)
      : leftMs < 2 * dayMs
        ? (["hour", hourMs] as const)
        : (["day", dayMs] as const)
  const when = new Intl.RelativeTimeFormat(language, { numeric: "always" }).format(Math.floor(leftMs / ms), unit)
  return translate("expires", { when })
}
