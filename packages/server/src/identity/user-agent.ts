// Shortens a User-Agent header to a text that the person recognises: "Chrome on Linux". Pure.

/** The patterns of browsers. The first match is used, because most browsers also claim to be several others. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
]

/** Returns the short name, or undefined for an unknown browser. The header itself is never stored. */
export function shortenAgent(agent: string | undefined): string | undefined {
  if (agent === undefined) return undefined
  const text = agent.slice(0, 500)
  const find = (table: typeof browsers): string | undefined => table.find(([sign]) => sign.test(text))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return system === undefined ? undefined : `A program on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
