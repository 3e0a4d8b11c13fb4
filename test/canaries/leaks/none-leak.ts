// Uses secrets without a leak: they occur only in permitted channels, and only similar texts occur elsewhere.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { expect, it } from "vitest"
import { newSecret } from "./secrets.ts"

it("says nothing", () => {
  const secret = newSecret("access_token", "none")
  console.log(secret.slice(0, -1))
  expect(secret).toHaveLength(secret.length)
})

it("leads to the provider with what is for the provider", async () => {
  const code = newSecret("code", "none")
  const server = createServer((request, response) => {
    if (request.url?.includes("code=") === true) response.end("thank you")
    else response.writeHead(303, { location: `http://localhost:${port}/?code=${code}` }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  expect((await openJarBrowser().open(`http://127.0.0.1:${port}/`)).text).toBe("thank you")
  server.close()
})
