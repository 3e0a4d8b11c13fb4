// What axe finds on a page that a test looks at. Bringing axe in costs more than a run of it, so it comes once, and short.

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Each rule that is broken, and where. */
const run = `axe
  .run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => [id, target.join(" "), failureSummary.split("\\n").at(-1)].join(", "))))`

export async function complaintsOn(page: Page): Promise<readonly string[]> {
  // Nothing is given back: the source ends with a value that is half a megabyte long.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${source}; undefined`)
  return page.evaluate<string[]>(run)
}
