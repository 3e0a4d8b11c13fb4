// How an author runs the checks from their own test; README.md shows it.

import { checkUrlMode } from "@holdpoint/url-mode-conformance"
import { expect, it } from "vitest"
import { faultyTarget } from "./faulty/server.ts"

const { url, fetch } = faultyTarget()
const token = "token-of-the-first"

// #region test
it("asks by link as the specification says", async () => {
  const report = await checkUrlMode({
    url,
    fetch,
    people: { first: { authorization: `Bearer ${token}` } },
    urlTool: { name: "connect", arguments: { account: "notes" } },
    quietMs: 50,
  })
  expect(report.results.filter(({ outcome }) => outcome === "failed" || outcome === "blocked")).toEqual([])
})
// #endregion
