// `npm run check`: runs format, types and fast tests in parallel. Prints the output of each when it has ended.

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { readCommandLine } from "@holdpoint/testkit/command-line"

const help = `npm run check

Checks the format and the types, and runs the fast tests. The exit code is 1 if one of them fails.

  --help  show this help
`

readCommandLine(help)
const root = fileURLToPath(new URL("..", import.meta.url))
const scripts = ["format:check", "types", "test:fast"]

const results = await Promise.all(scripts.map(run))
const failed = scripts.filter((_, index) => results[index] !== 0)
if (failed.length > 0) console.error(`Failed: ${failed.map((script) => `npm run ${script}`).join(", ")}`)
process.exitCode = failed.length === 0 ? 0 : 1

/** Returns the exit code of the npm script. */
function run(script: string): Promise<number | null> {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["run", "--silent", script], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // npm is a script on Windows.
      shell: process.platform === "win32",
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text))
    child.once("error", reject)
    child.once("close", (code) => {
      const seconds = ((performance.now() - begin) / 1_000).toFixed(0)
      console.log(`${output.trimEnd()}\n${code === 0 ? "Passed" : "Failed"}: ${script}, ${seconds} s`.trimStart())
      resolve(code)
    })
  })
}
