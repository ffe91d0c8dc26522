"""A feed reader: subscriptions in SQLite, polite fetching, and a page of what is new."""

import hashlib
import html
import logging
import sqlite3
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urljoin, urlparse

log = logging.getLogger("feeds")

ATOM = "{http://www.w3.org/2005/Atom}"
USER_AGENT = "feeds/0.4"
MIN_INTERVAL = 15 * 60
MAX_INTERVAL = 24 * 3600

SCHEMA = """
CREATE TABLE IF NOT EXISTS feed (
    id INTEGER PRIMARY KEY,
    url TEXT UNIQUE NOT NULL,
    title TEXT,
    etag TEXT,
    modified TEXT,
    interval INTEGER DEFAULT 3600,
    next_fetch REAL DEFAULT 0,
    failures INTEGER DEFAULT 0
);
CREATE TABLE IF NOT EXISTS entry (
    id INTEGER PRIMARY KEY,
    feed_id INTEGER NOT NULL REFERENCES feed(id) ON DELETE CASCADE,
    guid TEXT NOT NULL,
    title TEXT,
    link TEXT,
    summary TEXT,
    published REAL,
    seen INTEGER DEFAULT 0,
    starred INTEGER DEFAULT 0,
    UNIQUE (feed_id, guid)
);
"""


class FeedError(Exception):
    def __init__(self, url, reason):
        super().__init__("%s: %s" % (url, reason))
        self.url = url
        self.reason = reason


@dataclass
class Entry:
    guid: str
    title: str
    link: str
    summary: str
    published: float


@dataclass
class ParsedFeed:
    title: str
    entries: list


@dataclass
class Response:
    status: int
    body: bytes
    etag: str = ""
    modified: str = ""


def text_of(element, name, default=""):
    child = element.find(name)
    if child is None:
        return default
    if child.text is None:
        return default
    return child.text.strip()


def strip_tags(text):
    out = []
    inside = False
    for ch in text:
        if ch == "<":
            inside = True
        elif ch == ">":
            inside = False
        elif not inside:
            out.append(ch)
    return html.unescape("".join(out)).strip()


def parse_date(text):
    """Seconds since the epoch for the date formats seen in feeds, or None."""
    if not text:
        return None
    try:
        return parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError):
        pass
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except ValueError:
        log.debug("cannot read the date %r" % text)
        return None


def make_guid(link, title):
    return hashlib.sha1((link + "\n" + title).encode()).hexdigest()


def parse_rss(root, url):
    channel = root.find("channel")
    entries = []
    for item in channel.findall("item"):
        title = strip_tags(text_of(item, "title"))
        link = urljoin(url, text_of(item, "link"))
        guid = text_of(item, "guid")
        if not guid:
            guid = make_guid(link, title)
        summary = strip_tags(text_of(item, "description"))
        published = parse_date(text_of(item, "pubDate"))
        entries.append(Entry(guid, title, link, summary, published or time.time()))
    return ParsedFeed(text_of(channel, "title"), entries)


def parse_atom(root, url):
    entries = []
    for item in root.findall(ATOM + "entry"):
        title = strip_tags(text_of(item, ATOM + "title"))
        link = ""
        for element in item.findall(ATOM + "link"):
            if element.get("rel", "alternate") == "alternate":
                link = urljoin(url, element.get("href", ""))
        guid = text_of(item, ATOM + "id")
        if not guid:
            guid = make_guid(link, title)
        summary = strip_tags(text_of(item, ATOM + "summary"))
        published = parse_date(text_of(item, ATOM + "updated"))
        entries.append(Entry(guid, title, link, summary, published or time.time()))
    return ParsedFeed(text_of(root, ATOM + "title"), entries)


def parse_feed(body, url):
    try:
        root = ET.fromstring(body)
    except ET.ParseError as error:
        raise FeedError(url, "not XML: %s" % error)
    if root.tag == "rss":
        return parse_rss(root, url)
    elif root.tag == ATOM + "feed":
        return parse_atom(root, url)
    else:
        raise FeedError(url, "neither RSS nor Atom")


class Fetcher:
    """Conditional GET, with one pause per host so that nobody is hammered."""

    def __init__(self, opener=urllib.request.urlopen, sleep=time.sleep, clock=time.time, pause=2.0):
        self.opener = opener
        self.sleep = sleep
        self.clock = clock
        self.pause = pause
        self.last_visit = {}

    def wait_for_host(self, host):
        last = self.last_visit.get(host)
        if last is not None:
            remaining = self.pause - (self.clock() - last)
            if remaining > 0:
                self.sleep(remaining)
        self.last_visit[host] = self.clock()

    def fetch(self, url, etag=None, modified=None):
        self.wait_for_host(urlparse(url).hostname)
        request = urllib.request.Request(url)
        request.add_header("User-Agent", USER_AGENT)
        if etag:
            request.add_header("If-None-Match", etag)
        if modified:
            request.add_header("If-Modified-Since", modified)
        try:
            with self.opener(request) as answer:
                return Response(
                    answer.status,
                    answer.read(),
                    answer.headers.get("ETag", ""),
                    answer.headers.get("Last-Modified", ""),
                )
        except urllib.error.HTTPError as error:
            if error.code == 304:
                return Response(304, b"")
            raise FeedError(url, "HTTP %d" % error.code)
        except OSError as error:
            raise FeedError(url, str(error))


class Library:
    def __init__(self, path=":memory:", fetcher=None, clock=time.time):
        self.db = sqlite3.connect(path)
        self.db.row_factory = sqlite3.Row
        self.db.execute("PRAGMA foreign_keys = ON")
        self.db.executescript(SCHEMA)
        self.fetcher = fetcher or Fetcher()
        self.clock = clock

    def close(self):
        self.db.close()

    def subscribe(self, url):
        if not url.startswith(("http://", "https://")):
            raise FeedError(url, "not a web address")
        cursor = self.db.execute("INSERT OR IGNORE INTO feed (url) VALUES (?)", (url,))
        self.db.commit()
        return cursor.rowcount == 1

    def unsubscribe(self, url):
        self.db.execute("DELETE FROM feed WHERE url = ?", (url,))
        self.db.commit()

    def feeds(self):
        return self.db.execute("SELECT * FROM feed ORDER BY title, url").fetchall()

    def due(self):
        now = self.clock()
        result = []
        for feed in self.feeds():
            if feed["next_fetch"] <= now:
                result.append(feed)
        return result

    def store(self, feed_id, parsed):
        new = 0
        for entry in parsed.entries:
            cursor = self.db.execute(
                "INSERT OR IGNORE INTO entry (feed_id, guid, title, link, summary, published) VALUES (?, ?, ?, ?, ?, ?)",
                (feed_id, entry.guid, entry.title, entry.link, entry.summary, entry.published),
            )
            new += cursor.rowcount
        self.db.execute("UPDATE feed SET title = ? WHERE id = ?", (parsed.title, feed_id))
        return new

    def reschedule(self, feed, new, failed=False):
        """Busy feeds are asked more often, quiet and broken ones less."""
        interval = feed["interval"]
        failures = feed["failures"]
        if failed:
            failures = failures + 1
            interval = interval * 2
        else:
            failures = 0
            if new > 0:
                interval = interval // 2
            else:
                interval = interval * 3 // 2
        if interval < MIN_INTERVAL:
            interval = MIN_INTERVAL
        if interval > MAX_INTERVAL:
            interval = MAX_INTERVAL
        self.db.execute(
            "UPDATE feed SET interval = ?, failures = ?, next_fetch = ? WHERE id = ?",
            (interval, failures, self.clock() + interval, feed["id"]),
        )

    def refresh(self, feed):
        try:
            response = self.fetcher.fetch(feed["url"], feed["etag"], feed["modified"])
            if response.status == 304:
                new = 0
            else:
                new = self.store(feed["id"], parse_feed(response.body, feed["url"]))
                self.db.execute(
                    "UPDATE feed SET etag = ?, modified = ? WHERE id = ?",
                    (response.etag, response.modified, feed["id"]),
                )
        except FeedError as error:
            print("failed:", error)
            self.reschedule(feed, 0, True)
            self.db.commit()
            return 0
        self.reschedule(feed, new)
        self.db.commit()
        return new

    def refresh_due(self):
        total = 0
        for feed in self.due():
            n = self.refresh(feed)
            print("%s: %d new" % (feed["url"], n))
            total += n
        return total

    def unread(self, limit=50):
        return self.db.execute(
            "SELECT entry.*, feed.title AS feed_title FROM entry JOIN feed ON feed.id = entry.feed_id"
            " WHERE seen = 0 ORDER BY published DESC LIMIT ?",
            (limit,),
        ).fetchall()

    def mark_seen(self, entry_ids):
        for entry_id in entry_ids:
            self.db.execute("UPDATE entry SET seen = 1 WHERE id = ?", (entry_id,))
        self.db.commit()

    def star(self, entry_id, on=True):
        self.db.execute("UPDATE entry SET starred = ? WHERE id = ?", (int(on), entry_id))
        self.db.commit()

    def search(self, text):
        like = "%" + text + "%"
        return self.db.execute(
            "SELECT * FROM entry WHERE title LIKE ? OR summary LIKE ? ORDER BY published DESC", (like, like)
        ).fetchall()

    def forget_old(self, days):
        limit = self.clock() - days * 86400
        cursor = self.db.execute("DELETE FROM entry WHERE seen = 1 AND starred = 0 AND published < ?", (limit,))
        self.db.commit()
        return cursor.rowcount

    def statistics(self):
        stats = {}
        for row in self.db.execute("SELECT feed_id, COUNT(*) AS n, SUM(seen) AS seen FROM entry GROUP BY feed_id"):
            stats[row["feed_id"]] = (row["n"], row["seen"])
        return stats


def shorten(text, width=200):
    if len(text) <= width:
        return text
    cut = text[:width].rsplit(" ", 1)[0]
    return cut + "…"


def ago(seconds):
    if seconds < 60:
        return "just now"
    if seconds < 3600:
        return "%d min ago" % (seconds // 60)
    if seconds < 86400:
        return "%d h ago" % (seconds // 3600)
    return "%d days ago" % (seconds // 86400)


def render_page(entries, now):
    """The unread entries as a plain HTML page."""
    parts = ["<!doctype html>", '<meta charset="utf-8">', "<title>feeds</title>"]
    for entry in entries:
        parts.append("<article>")
        parts.append('<h2><a href="%s">%s</a></h2>' % (html.escape(entry["link"]), html.escape(entry["title"])))
        parts.append("<p class=by>%s, %s</p>" % (html.escape(entry["feed_title"] or ""), ago(now - entry["published"])))
        parts.append("<p>%s</p>" % html.escape(shorten(entry["summary"])))
        parts.append("</article>")
    return "\n".join(parts)


def export_opml(feeds):
    root = ET.Element("opml", version="2.0")
    body = ET.SubElement(root, "body")
    for feed in feeds:
        ET.SubElement(body, "outline", type="rss", text=feed["title"] or feed["url"], xmlUrl=feed["url"])
    return ET.tostring(root, encoding="unicode")


def import_opml(library, path):
    root = ET.parse(path).getroot()
    count = 0
    for outline in root.iter("outline"):
        url = outline.get("xmlUrl")
        if url is not None:
            if library.subscribe(url):
                count = count + 1
    return count


def write_page(library, path):
    entries = library.unread()
    Path(path).write_text(render_page(entries, library.clock()), encoding="utf-8")
    library.mark_seen([entry["id"] for entry in entries])
    return len(entries)


def timestamp(seconds):
    return datetime.fromtimestamp(seconds, timezone.utc).strftime("%Y-%m-%d %H:%M")
