// POST /refunds/1001 of the shop on Next.js.

import { refund } from "@/refunds"

export async function POST(_request: Request, { params }: { params: Promise<{ order: string }> }): Promise<Response> {
  const { order } = await params
  return new Response(await refund(order))
}
