// mcp_download_safe: the addresses that it refuses, and the files that it saves. A stand-in for getent resolves the
// names, and the real curl connects to a server on this machine.

import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Json } from "./asking.ts"
import { findProgram, pathWithout, quoted, runBeside, shells, tryIn } from "./shells.ts"

const missing = ["curl", "openssl"].find((name) => findProgram(name) === undefined)
const folder = makeScratchFolder("downloads")
let server: Server | undefined
let path = ""
let requests: string[] = []

beforeAll(async () => {
  if (missing !== undefined) return
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")]
  const certificate = [
    "-newkey",
    "ec",
    "-pkeyopt",
    "ec_paramgen_curve:P-256",
    "-nodes",
    "-days",
    "2",
    "-subj",
    "/CN=files.example",
  ]
  const names = ["-addext", "subjectAltName=DNS:files.example,DNS:mixed.example"]
  execFileSync("openssl", ["req", "-x509", ...certificate, ...names, "-keyout", key, "-out", cert], { stdio: "ignore" })
  const started = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
    requests.push(request.url ?? "")
    if (request.url === "/moved") return response.writeHead(302, { location: "https://169.254.169.254/" }).end()
    if (request.url === "/endless") return sendEndlessly(response)
    if (request.url === "/missing") return response.writeHead(404).end("no")
    if (request.url === "/busy" && requests.filter((url) => url === "/busy").length < 2)
      return response.writeHead(503).end()
    return response.end("x".repeat(request.url === "/long" ? 5_000 : 10))
  })
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve))
  server = started
  path = standIns((started.address() as AddressInfo).port, cert)
})

/** Sends data until the client closes the connection. */
function sendEndlessly(response: ServerResponse): void {
  if (response.destroyed) return
  while (response.write("x".repeat(65_536)));
  response.once("drain", () => sendEndlessly(response))
}

afterAll(() => {
  server?.closeAllConnections()
  server?.close()
})

/** Makes a folder with stand-ins: getent resolves a few names, and curl connects to the test server for any address. */
function standIns(port: number, cert: string): string {
  const bin = pathWithout("curl", "getent")
  const addresses =
    "files.example) echo 93.184.216.34;; mixed.example) echo 93.184.216.34; echo 10.0.0.1;; v6.example) echo fd00::1;; meta.example) echo 169.254.169.254;; mapped.example) echo ::ffff:127.0.0.1;;"
  write(join(bin, "getent"), `case $2 in ${addresses} esac`)
  write(
    join(bin, "curl"),
    `for one in "$@"; do printf '%s\\n' "$one"; done >"${folder}/curl"\nexec ${findProgram("curl")} -q --cacert ${cert} --connect-to "::127.0.0.1:${port}" "$@"`,
  )
  symlinkSync(findProgram("openssl") ?? "", join(bin, "openssl"))
  return bin
}

function write(file: string, text: string): void {
  writeFileSync(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o700)
}

describe.each(shells.filter(({ shell }) => shell === "bash" || shell === "dash"))("in $shell", (shell) => {
  beforeEach((context) => {
    if (missing !== undefined) context.skip(`not tried: no ${missing} here`)
    tryIn(shell)(context)
    requests = []
  })

  const out = join(folder, "out")
  const download = async (...options: readonly (readonly string[])[]): Promise<readonly Json[]> => {
    const codes = options.map((words) => `mcp_download_safe ${words.map(quoted).join(" ")}`)
    const ran = await runBeside({ ...shell, path }, codes)
    return ran.map(({ stdout, exit }) => {
      expect(exit).toBe(0)
      return JSON.parse(stdout) as Json
    })
  }
  const from = (url: string, ...more: readonly string[]) => [
    "--url",
    url,
    "--out",
    out,
    "--allow",
    "files.example",
    ...more,
  ]
  const typesOf = (results: readonly Json[]): readonly unknown[] =>
    results.map(({ error }) => (error as Json | undefined)?.type ?? "done")

  it("downloads from an allowed host, and connects only to its public address", async () => {
    const [result] = await download(from("https://files.example/a?b=[1-2]", "--user-agent", "mine"))
    expect(result).toEqual({ success: true, bytes: 10, path: out })
    expect(readFileSync(out, "utf8")).toBe("x".repeat(10))
    expect(requests).toEqual(["/a?b=[1-2]"])
    expect(readFileSync(join(folder, "curl"), "utf8").split("\n")).toEqual(
      expect.arrayContaining(["files.example:443:93.184.216.34", "=https", "mine"]),
    )
  })

  it("refuses hosts that are not allowed, and addresses that are not public, before it connects", async () => {
    const allowed = (host: string) => ["--url", `https://${host}/`, "--out", out, "--allow", host.replace(/:.*/, "")]
    const results = await download(
      ["--url", "https://files.example/", "--out", out],
      ["--url", "https://files.example.evil.example/", "--out", out, "--allow", "files.example"],
      ["--url", "https://files.example/", "--out", out, "--allow", "*.example", "--deny", "files.example"],
      allowed("mixed.example"),
      allowed("meta.example"),
      allowed("v6.example"),
      allowed("mapped.example"),
      allowed("unknown.example"),
      allowed("127.0.0.1"),
      allowed("2130706433"),
      allowed("0x7f.1"),
      allowed("[::1]"),
      ["--url", "https://files.example@127.0.0.1/", "--out", out, "--allow", "files.example"],
      ["--url", "https://127.0.0.1\\@files.example/", "--out", out, "--allow", "files.example"],
      ["--url", "http://files.example/", "--out", out, "--allow", "files.example"],
      ["--url", "file:///etc/passwd", "--out", out, "--allow", ""],
    )
    expect(typesOf(results)).toEqual([
      ...Array.from({ length: 7 }, () => "host_blocked"),
      "network_error",
      ...Array.from({ length: 8 }, () => "invalid_url"),
    ])
    expect(requests).toEqual([])
  })

  it("follows no redirect, and says where it leads", async () => {
    const [result] = await download(from("https://files.example/moved", "--retry", "3"))
    expect(result).toMatchObject({ success: false, error: { type: "redirect", location: "https://169.254.169.254/" } })
    expect(requests).toEqual(["/moved"])
  })

  it("keeps to the limits, retries temporary failures, and leaves no partial file behind", async () => {
    const other = join(folder, "other")
    const results = await download(
      ["--url", "https://files.example/long", "--out", other, "--allow", "files.example", "--max-bytes", "100"],
      from("https://files.example/endless", "--retry", "3", "--max-bytes", "100"),
      from("https://files.example/missing", "--retry", "3"),
      from("https://files.example/busy", "--retry", "2", "--retry-delay", "0.01"),
      ["--url", "https://files.example/", "--out", "/nonexistent/file", "--allow", "files.example"],
      from("https://files.example/", "--timeout", "61"),
      from("https://files.example/", "--retry", "x"),
      from("https://files.example/", "--alow", "x"),
      ["--url"],
      [],
    )
    expect(typesOf(results)).toEqual([
      ...["size_exceeded", "size_exceeded", "network_error", "done", "write_error"],
      ...["invalid_params", "invalid_params", "invalid_params", "invalid_params", "invalid_url"],
    ])
    expect(requests).toEqual(["/long", "/endless", "/missing", "/busy", "/busy", "/"])
    expect(existsSync(other)).toBe(false)
  })

  it("ends the script when a required download fails", async () => {
    const script = `. "$MCP_SDK/tool-sdk.sh"; f=$(mcp_download_safe_or_fail ${from("https://files.example/a").map(quoted).join(" ")}); echo "$f"; f=$(mcp_download_safe_or_fail --url https://other.example/ --out x); echo not reached`
    const [ran] = await runBeside({ ...shell, path }, [`${shell.command.join(" ")} -c ${quoted(script)}`])
    expect(ran).toMatchObject({
      stdout: `${out}\n`,
      exit: 143,
      stderr: expect.stringContaining("Download failed (host_blocked)"),
    })
  })
})
