// Runs axe on a page of a test. Loading axe costs more than a run, so it is loaded once per page.

import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Lists each broken rule, and where. */
const run = `axe
  .run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => [id, target.join(" "), failureSummary.split("\\n").at(-1)].join(", "))))`

export async function complaintsOn(page: Page): Promise<readonly string[]> {
  // Returns undefined, because the source ends with a value of half a megabyte.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(`${source}; undefined`)
  return page.evaluate<string[]>(run)
}
