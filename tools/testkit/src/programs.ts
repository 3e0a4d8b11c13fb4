// Programs that tests start as child processes again and again, bundled once per run by the first test that needs one:
// loading hundreds of TypeScript files takes longer than most of these processes live.

import { execFileSync } from "node:child_process"
import { existsSync, renameSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"
import { isFirst, runFolder } from "./run-folder.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

const programs = [
  "apps/holdpoint/test/acp/process-config.ts",
  "packages/agents/test/process-agents.ts",
  "tools/testkit/src/holdpoint/command-process.ts",
  "apps/holdpoint/test/crash/process.ts",
  "packages/calls/test/plain/program.ts",
  "packages/hub/test/deliveries/chat/peer.ts",
  "packages/hub/test/deliveries/processes/peer.ts",
  "packages/hub/test/stores/crash/writer.ts",
  "test/across/hub/stores/processes/peer.ts",
  "packages/mcp/test/client/program.ts",
  "packages/mcp/test/server/crash/server.ts",
  "packages/accounts/test/vault/many-processes/node.ts",
  "test/storm/config.ts",
]

/** The arguments with which Node runs the program at this path. Waits while the programs are bundled. */
export const programAt = (path: string): readonly string[] => ["--no-warnings", bundledAt(path)]

/** The bundle of the program, or of the configuration file, at this path. Waits while they are bundled. */
export function bundledAt(path: string): string {
  const source = relative(root, path)
  if (!programs.includes(source)) throw new Error(`${source} is not listed in tools/testkit/src/programs.ts.`)
  const folder = join(runFolder(), "programs")
  if (isFirst("programs")) {
    execFileSync(process.execPath, ["--no-warnings", fileURLToPath(import.meta.url), `${folder}.new`], {
      stdio: ["ignore", "ignore", "inherit"],
    })
    renameSync(`${folder}.new`, folder)
  }
  const asleep = new Int32Array(new SharedArrayBuffer(4))
  for (let tries = 0; !existsSync(folder); tries++) {
    if (tries > 1_000) throw new Error("The programs were not bundled: see the test file that failed first.")
    Atomics.wait(asleep, 0, 0, 100)
  }
  return join(folder, source.replace(/\.ts$/, ".js"))
}

async function bundle(folder: string): Promise<void> {
  const bundled = await rolldown({
    cwd: root,
    input: Object.fromEntries(programs.map((source) => [source.replace(/\.ts$/, ""), source])),
    platform: "node",
    external: ["pg-native"],
    logLevel: "silent",
    plugins: [
      {
        name: "files beside a source",
        transform: {
          filter: { code: "import.meta.url" },
          handler: (code, id) => code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href)),
        },
      },
    ],
  })
  await bundled.write({ dir: folder, format: "esm" })
  await bundled.close()
}

if (import.meta.main) await bundle(process.argv[2] ?? "")
