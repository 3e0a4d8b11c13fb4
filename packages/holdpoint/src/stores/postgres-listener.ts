// The connection that hears of other processes' commits. When it breaks it is made again, and says so, because
// something may have happened meanwhile.

import type { ClientConfig } from "pg"
import pg from "pg"

export interface PostgresListener {
  add(callback: () => void): () => void
  close(): Promise<void>
}

const firstRetryMs = 50
const lastRetryMs = 5_000

export async function createPostgresListener(
  config: ClientConfig,
  channel: string,
  ownProcessId: () => number | undefined,
): Promise<PostgresListener> {
  const callbacks = new Set<() => void>()
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let retryMs = firstRetryMs
  let isClosed = false

  const tell = (): void => {
    for (const callback of callbacks) callback()
  }

  const connect = async (): Promise<void> => {
    const made = new pg.Client(config)
    const lost = (): void => {
      if (client !== made || isClosed) return
      client = undefined
      retry = setTimeout(reconnect, retryMs)
      retryMs = Math.min(retryMs * 2, lastRetryMs)
    }
    made.on("error", lost)
    made.on("end", lost)
    made.on("notification", ({ processId }) => {
      if (processId !== ownProcessId()) tell()
    })
    await made.connect()
    await made.query(`LISTEN ${channel}`)
    client = made
    retryMs = firstRetryMs
  }

  const reconnect = (): void => {
    connect().then(tell, () => {
      if (isClosed) return
      retry = setTimeout(reconnect, retryMs)
      retryMs = Math.min(retryMs * 2, lastRetryMs)
    })
  }

  await connect()
  return {
    add(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    async close() {
      isClosed = true
      clearTimeout(retry)
      await client?.end().catch(() => {})
    },
  }
}
