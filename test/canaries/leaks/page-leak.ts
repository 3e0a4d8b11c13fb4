// Leaks secrets in pages for a browser.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { expect, it } from "vitest"
import { newSecret } from "./secrets.ts"

const pages: Readonly<Record<string, string>> = {
  "/body": `<p>${newSecret("entered", "body")}</p>`,
  "/callback": `<a href="/?code=${newSecret("code", "callback")}">again</a>`,
}

it("shows", async () => {
  const session = newSecret("cookie", "header")
  const server = createServer(({ url = "" }, response) => {
    const [path = ""] = url.split("?")
    response.writeHead(200, { "content-type": "text/html", "x-session": session }).end(pages[path])
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const path of ["/body", "/callback?code=something"])
    expect((await openJarBrowser().open(`${at}${path}`)).status).toBe(200)
  server.close()
})
