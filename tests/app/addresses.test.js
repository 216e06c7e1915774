// Addresses of the tour's stops, of pages, and of views that a reader shares.

import assert from "node:assert/strict";
import { test } from "node:test";

import { pageIn } from "../../app/shell/address.js";
import { addressFor } from "../../app/shell/share.js";
import { STOPS } from "../../app/shell/stops.js";
import { addressAfter, addressElsewhere, addressOf, stopIn } from "../../app/shell/tour.js";

const query = (text) => new URLSearchParams(text);

test("an address names a stop or none", () => {
  assert.equal(stopIn(query("tour=1"), ""), 1);
  for (const text of ["tour=0", "tour=11", "tour=1.5", "tour=", "step=1", "tour=x"]) {
    assert.equal(stopIn(query(text), ""), null, text);
  }
});

STOPS.forEach(({ page, link }, place) => {
  const number = place + 1;
  test(`stop ${number} is on its page alone, at its address`, () => {
    assert.equal(stopIn(query(`tour=${number}`), page), number);
    assert.equal(stopIn(query(`tour=${number}`), `not ${page}`), null);
    const { pathname, searchParams } = new URL(addressOf(number, ".html"), "http://site/");
    assert.equal(pathname, page ? `/${page}.html` : "/");
    assert.deepEqual(Object.fromEntries(searchParams), { ...link, tour: String(number) });
  });
});

test("after the last stop comes the quiz", () => {
  assert.equal(addressAfter(4, ".html"), addressOf(5, ".html"));
  assert.equal(addressAfter(STOPS.length, ".html"), "quiz.html");
});

// The tour had seven stops before; six of them were on the Explorer, and each old number still opens a stop.
test("a number of another page leads there unless the link has a view", () => {
  const elsewhere = (text, here = "") => addressElsewhere(query(text), here, "");
  for (const number of [1, 2, 3, 4, 6]) assert.equal(elsewhere(`tour=${number}`), null);
  assert.ok(elsewhere("tour=5").startsWith("paths?"));
  assert.ok(elsewhere("tour=7", "pointer").startsWith("./?model="));
  for (const text of ["tour=5&model=luong-concat-local-p", "tour=11", ""]) assert.equal(elsewhere(text), null);
  assert.ok(elsewhere("tour=4&model=luong-base-long", "pointer").startsWith("./?model=")); // which has no such view
});

test("an address names its page and the ending of files", () => {
  for (const [pathname, page, ending] of [
    ["/", "", ""],
    ["/index.html", "", ".html"],
    ["/below/", "", ""],
    ["/heads", "heads", ""],
    ["/below/score-lab.html", "score-lab", ".html"],
  ])
    assert.deepEqual(Object.values(pageIn({ pathname })), [page, ending]);
});

test("a view is shared as a page of the site where there is one", () => {
  const served = { origin: "http://192.0.2.7:8501", pages: ["", "heads"] };
  for (const [here, address] of [
    ["http://127.0.0.1:8501/?step=3", "http://192.0.2.7:8501/site/?step=3"],
    ["http://localhost:8501/heads?head=2", "http://192.0.2.7:8501/site/heads.html?head=2"],
    ["http://127.0.0.1:8501/variants", "http://192.0.2.7:8501/variants"], // not a page of the site
    ["https://lecture.example/heads", "https://lecture.example/site/heads.html"],
    ["https://lecture.example/site/heads.html?head=2", "https://lecture.example/site/heads.html?head=2"],
  ])
    assert.equal(addressFor(new URL(here), served), address);
  for (const here of ["http://127.0.0.1:8501/?step=3", "https://pages.example/attention/?step=3"]) {
    assert.equal(addressFor(new URL(here), null), here);
  }
});
