// What a browser says it is, shortened to what its owner recognises: "Chrome on Linux". Pure.

/** The first that matches counts: most browsers claim to be several others as well. */
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

/** Undefined when it says nothing that is known. Its own words are never kept. */
export function shortenAgent(agent: string | undefined): string | undefined {
  if (agent === undefined) return undefined
  const said = agent.slice(0, 500)
  const find = (table: typeof browsers): string | undefined => table.find(([sign]) => sign.test(said))?.[1]
  const [browser, system] = [find(browsers), find(systems)]
  if (browser === undefined) return system === undefined ? undefined : `A program on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}
