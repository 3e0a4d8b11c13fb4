// How an author runs the checks from their own test; README.md shows it.

import { faultyTarget } from "@holdpoint/testkit/url-mode-conformance/faulty/server"
import { checkUrlMode } from "@holdpoint/url-mode-conformance"
import { expect, it } from "vitest"

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
