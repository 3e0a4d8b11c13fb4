// One call of each tool for news, with the ids that were recorded.

import type { Samples } from "./sample.ts"

export const newsSamples: Samples = {
  nc_news_list_items: { arguments: () => ({ limit: 4 }) },
  nc_news_get_item: { arguments: () => ({ item_id: 7 }), missing: { item_id: 99_999 } },
  nc_news_mark_items: {
    arguments: () => ({ item_ids: [12], read: true }),
    missing: { item_ids: [99_999], read: true },
  },
  nc_news_mark_all_read: { arguments: () => ({ newest_item_id: 12, feed_id: 1 }) },
  nc_news_list_feeds: { arguments: () => ({}) },
  nc_news_add_feed: {
    arguments: () => ({ url: "https://feeds.example/rss.xml" }),
    unrecorded: "Only refusals were recorded.",
  },
  nc_news_update_feed: {
    arguments: () => ({ feed_id: 1, title: "Ümbenannt" }),
    missing: { feed_id: 99_999, folder_id: 1 },
  },
  nc_news_remove_feed: { arguments: () => ({ feed_id: 1 }), missing: { feed_id: 99_999 } },
  nc_news_create_folder: { arguments: () => ({ name: "Ördner 🦊" }) },
  nc_news_rename_folder: {
    arguments: () => ({ folder_id: 1, name: "Neu ✓" }),
    missing: { folder_id: 99_999, name: "x" },
  },
  nc_news_delete_folder: {
    arguments: () => ({ folder_id: 1 }),
    unrecorded: "Folders were listed when there were none.",
    missing: { folder_id: 99_999 },
  },
  nc_news_get_status: { arguments: () => ({}) },
}
