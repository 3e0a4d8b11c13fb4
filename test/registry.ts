// A local package registry for the packages of this repository: `npm install NAME` resolves them as if they were
// published. Every other package comes from the registry that npm is configured with.

import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { basename } from "node:path"

export interface Registry {
  readonly url: string
  close(): Promise<void>
}

export interface PublishedPackage {
  readonly name: string
  readonly tarball: string
}

export async function openRegistry(packages: readonly PublishedPackage[]): Promise<Registry> {
  const upstream = run("npm", ["config", "get", "registry"]).trim().replace(/\/$/, "")
  const manifests = new Map(packages.map((one) => [one.name, manifestOf(one.tarball)]))
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1)
    const tarball = packages.find((one) => path === `tarballs/${basename(one.tarball)}`)?.tarball
    if (tarball !== undefined) return response.end(readFileSync(tarball))
    const manifest = manifests.get(path)
    if (manifest === undefined) return response.writeHead(307, { location: `${upstream}${request.url}` }).end()
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document(manifest)))
  })
  const document = (manifest: Manifest): object => {
    const tarball = packages.find(({ name }) => name === manifest.name)?.tarball ?? ""
    const integrity = `sha512-${createHash("sha512").update(readFileSync(tarball)).digest("base64")}`
    const dist = { tarball: `${url()}/tarballs/${basename(tarball)}`, integrity }
    const { name, version } = manifest
    return { name, "dist-tags": { latest: version }, versions: { [version]: { ...manifest, dist } } }
  }
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: url(),
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

interface Manifest {
  readonly name: string
  readonly version: string
}

const manifestOf = (tarball: string): Manifest =>
  JSON.parse(run("tar", ["-xzOf", tarball, "package/package.json"])) as Manifest

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stderr}`)
  return stdout
}
