// A message over the size limit: the error that the client receives, and how to send the same content in parts.

import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { connect, serve, startCloud, textIn } from "./stage.ts"

const alice = { NEXTCLOUD_USERNAME: "alice", NEXTCLOUD_PASSWORD: "alice-Pass-2026" }

async function enter() {
  const cloud = await startCloud()
  const served = await serve(cloud, alice)
  return connect(served.mcp)
}

describe("over HTTP", { timeout: 30_000 }, () => {
  it("a message above the limit is refused with the limit and a way around it; the connection stays open", async () => {
    const client = await enter()
    const large = { path: "/large.txt", content: "x".repeat(1_100_000) }
    const refused = await client
      .callTool({ name: "nc_files_write_file", arguments: large })
      .catch((error: unknown) => error)
    expect(String(refused)).toContain("a message holds at most 1048576 bytes. Send it in parts.")
    const listed = await client.callTool({ name: "nc_files_list_directory", arguments: { path: "/" } })
    expect(listed.isError, textIn(listed)).toBeFalsy()
    expect(textIn(listed)).not.toContain("large.txt")
  })

  it("the tool for parts accepts parts of the stated size, and joins them", async () => {
    const client = await enter()
    const parts = [randomBytes(525_000), randomBytes(525_000)]
    let upload_id: string | undefined
    for (const [index, part] of parts.entries()) {
      const sent = await client.callTool({
        name: "nc_files_upload_chunk",
        arguments: {
          ...{ path: "/large.bin", content: part.toString("base64"), encoding: "base64", part: index + 1 },
          ...(upload_id === undefined ? {} : { upload_id }),
          last: index === parts.length - 1,
        },
      })
      expect(sent.isError, textIn(sent)).toBeFalsy()
      upload_id = (sent.structuredContent as { upload_id: string }).upload_id
    }
    const info = await client.callTool({ name: "nc_files_get_info", arguments: { path: "/large.bin" } })
    expect(info.structuredContent).toMatchObject({ size: 1_050_000 })
  })
})
