// The peer server's news tools, and what replaces each of them here.

export const newsPeer: Readonly<Record<string, string>> = {
  nc_news_list_folders: "nc_news_list_feeds (folders are in the same answer)",
  nc_news_list_feeds: "nc_news_list_feeds",
  nc_news_list_items: "nc_news_list_items (cursor in place of offset)",
  nc_news_get_item: "nc_news_get_item",
  nc_news_get_starred_items: "nc_news_list_items with starred_only",
  nc_news_get_unread_items: "nc_news_list_items with unread_only",
  nc_news_get_feed_health: "nc_news_list_feeds (errors and last_error of each feed)",
  nc_news_get_status: "nc_news_get_status",
}
