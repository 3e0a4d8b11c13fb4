// Runs axe on a page of a test. A page without complaints is checked once per test run: the same page in the same look
// is skipped, and in another look only the rules that depend on the look are run.

import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { CDPSession, Page } from "playwright-core"
import { runFolder } from "./run-folder.ts"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

const everyRule = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
/** The rules that read colours or sizes. All other rules read elements and their visibility. */
const rulesOfLook = ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"]

interface Description {
  readonly html: string
  /** One digit for each element: whether it is visible. */
  readonly visible: string
  /** Colours, sizes, and the element with the focus. */
  readonly look: string
}

const describe = `(() => {
  const all = [...document.querySelectorAll("*")]
  const isVisible = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches
  return {
    html: document.documentElement.outerHTML,
    visible: all.map((one) => Number(isVisible(one))).join(""),
    look: [isDark, innerWidth, innerHeight, all.indexOf(document.activeElement)].join(),
  }
})()`

/** The script that lists each broken rule with its elements, and describes the page that it has checked. */
const runWith = (only: object): string => `(async () => {
  const description = ${describe}
  // No rule of these tags reads style sheets, which axe would otherwise fetch a second time.
  const options = { resultTypes: ["violations"], preload: { assets: ["media"] } }
  const { violations } = await axe.run({ runOnly: ${JSON.stringify(only)}, ...options })
  const complaints = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => [id, target.join(" "), failureSummary.split("\\n").at(-1)].join(", ")))
  return { description, complaints }
})()`

const [allOf, rulesThatDependOnLook] = [
  runWith({ type: "tag", values: everyRule }),
  runWith({ type: "rule", values: rulesOfLook }),
]

/** Pages without complaints, by the keys below: a file for each, because workers share them. */
const clean = {
  has: (key: string): boolean => existsSync(join(runFolder(), "clean", key)),
  add(key: string): void {
    mkdirSync(join(runFolder(), "clean"), { recursive: true })
    writeFileSync(join(runFolder(), "clean", key), "")
  },
}

export async function complaintsOn(page: Page): Promise<readonly string[]> {
  // The elements of a page exist before its style sheets are loaded, with other sizes.
  await page.waitForLoadState("load")
  const before = await page.evaluate<Description>(describe)
  if (clean.has(keyInLook(before))) return []
  await load(page)
  const isKnown = clean.has(keyInAnyLook(before))
  const { description, complaints } = await page.evaluate<{
    readonly description: Description
    readonly complaints: readonly string[]
  }>(isKnown ? rulesThatDependOnLook : allOf)
  if (complaints.length > 0) return complaints
  if (isKnown && keyInAnyLook(description) !== keyInAnyLook(before)) return complaintsOn(page)
  clean.add(keyInAnyLook(description))
  clean.add(keyInLook(description))
  return []
}

const keyInAnyLook = ({ html, visible }: Description): string => hashOf(withoutChance(html), visible)
const keyInLook = ({ html, visible, look }: Description): string => hashOf(withoutChance(html), visible, look)

const hashOf = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")

/**
 * Removes differences between runs: ids, tokens and ports become the number of their first occurrence, so that equal
 * ones stay equal, and digits of the text become 0.
 */
function withoutChance(html: string): string {
  const numbers = new Map<string, number>()
  const numberOf = (token: string): string => {
    if (!numbers.has(token)) numbers.set(token, numbers.size)
    return `#${numbers.get(token)}`
  }
  return html
    .replaceAll(/[\w-]{16,}|(?<=(?:localhost|127\.0\.0\.1):)\d+/g, numberOf)
    .replaceAll(/>[^<]+</g, (text) => text.replaceAll(/\d/g, "0"))
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** Loads axe without page.evaluate, which calls eval: so the browser compiles the script once for all pages. */
async function load(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in window")) return
  const opened = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, opened)
  // Returns undefined, because the source ends with a value of half a megabyte.
  const { exceptionDetails } = await (await opened).send("Runtime.evaluate", { expression: `${source}; undefined` })
  if (exceptionDetails !== undefined) throw new Error(`axe was not loaded: ${exceptionDetails.text}`)
}
