// Leaks secrets on the output, each in another encoding or way of printing.

import { it } from "vitest"
import { newSecret } from "./secrets.ts"

it("prints", () => {
  console.log(`the token is ${newSecret("access_token", "console")}`)
  process.stderr.write(`${JSON.stringify({ secret: newSecret("client_secret", "stream") })}\n`)
  const login = `alice:${newSecret("app_password", "base64")}`
  console.error(`Basic ${Buffer.from(login).toString("base64")}`)
})
