// A mail as a mail program shows it, at 320 and 600 pixels, in light and dark.

import type { Elicitation } from "@holdpoint/hub"
import { complaintsOn } from "@holdpoint/testkit/axe"
import { openBrowser } from "@holdpoint/testkit/browser"
import { scrollsSideways } from "@holdpoint/testkit/in-page"
import { lookAt, looks, picturedIn, takePicture } from "@holdpoint/testkit/looks"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { record } from "../../testing/src/contract/samples.ts"
import { toEndMail, toMail } from "../src/map.ts"

const sizes = { phone: { width: 320, height: 600 }, desktop: { width: 600, height: 600 } }
const links = {
  question: "https://holdpoint.example.com/inbox/7b1f",
  account: "https://holdpoint.example.com/account",
  unsubscribe: "https://holdpoint.example.com/unsubscribe/k1~4fJ2",
}
const question: Elicitation = record({
  requester: { id: "release-robot", name: "Release robot" },
  client: { name: "Claude Code" },
  message: "May I deploy release 4.2 to production?\n\nIt has 14 changes. The checks have passed.",
  expiresAt: Date.UTC(2026, 10, 18, 17),
})
const hostile = record({
  requester: { id: "x", name: `${"Very-long-name".repeat(8)} <b>` },
  message: `<script>alert(1)</script> ${"x".repeat(300)} https://evil.example/${"y".repeat(80)} שלום עולם`,
})
const mails = {
  question: toMail(question, { links, zone: "Europe/Berlin" }),
  reminder: toMail(question, { links, isReminder: true }),
  over: toEndMail({ ...question, status: "completed" }, { links }),
  hostile: toMail(hostile, { links }),
}

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  page = await browser.newPage()
})
afterAll(() => page.close())

describe("a mail", () => {
  it.each(Object.keys(mails) as (keyof typeof mails)[])("fits its window and is accessible: %s", async (name) => {
    await page.setContent(mails[name].html)
    for (const look of looks) {
      await lookAt(page, look, sizes)
      expect(await page.evaluate(scrollsSideways), `${look.scheme}, ${look.size}`).toBe(false)
      // A mail is a part of the mail program's page, which has the heading and the landmarks.
      const complaints = (await complaintsOn(page)).filter(
        (one) => !/^(?:region|page-has-heading-one|landmark)/.test(one),
      )
      expect(complaints, `${look.scheme}, ${look.size}`).toEqual([])
    }
  })

  it("is captured in pictures", async () => {
    await page.setContent(mails.question.html)
    for (const look of picturedIn("mail")) {
      await lookAt(page, look, sizes)
      await takePicture(page, { name: "mail", look, below: 60_000 })
    }
  })
})
