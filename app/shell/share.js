// The Share button. It opens a panel with the address of the view, to copy and, if others can reach it, as a QR code.

import { t } from "../../attn_core/browser/player/core/messages.js";
import { el } from "../../attn_core/browser/player/dom/elements.js";
import { pageIn } from "./address.js";
import { copyText } from "./clipboard.js";

/** @import { Served } from "./types.d.ts" */

const LOOPBACK = /^(localhost\.?|127\.[\d.]+|0\.0\.0\.0|\[::1?\])$/;

/**
 * Make an empty button the Share button.
 * @param {HTMLElement} button
 * @param {HTMLElement} label the part of the button for its text
 */
export function setUpShareButton(button, label = button) {
  button.title = t("Share a link to this view");
  button.setAttribute("aria-haspopup", "dialog");
  label.textContent = t("Share");
  let isOpening = false; // a second click must not open a second panel
  button.onclick = async () => {
    if (isOpening) return;
    isOpening = true;
    document.dispatchEvent(new Event("view-link")); // the page brings its address up to date
    const served = await fetchServed();
    isOpening = false;
    const panel = buildPanel(addressFor(location, served), served);
    panel.addEventListener("close", () => panel.remove());
    button.after(panel);
    panel.showModal();
  };
}

/**
 * The address of a view for others: on the site if the server has the page there too, else on the server.
 * @param {Pick<Location, "origin" | "hostname" | "pathname" | "search">} here
 * @param {Served | null} served
 */
export function addressFor(here, served) {
  const origin = served && LOOPBACK.test(here.hostname) ? served.origin : here.origin;
  const { name } = pageIn(here);
  const path = served?.pages.includes(name) ? `/site/${name && `${name}.html`}` : here.pathname;
  return origin + path + here.search;
}

/** The address of the view on show for others; "" if the server serves this machine only. */
export async function addressForOthers() {
  document.dispatchEvent(new Event("view-link")); // the page brings its address up to date
  const served = await fetchServed();
  return served ? addressFor(location, served) : "";
}

/**
 * Show the QR code of the view on show, as large as the window allows. Q or Escape closes it.
 * @param {HTMLElement} root gets the panel
 */
export async function showQrCode(root) {
  const panel = el("dialog", { class: "share share-code", "aria-label": t("QR code of this view") });
  panel.addEventListener("keydown", ({ key }) => {
    if (key === "q" || key === "Q") panel.close();
  });
  panel.addEventListener("click", () => panel.close());
  panel.addEventListener("close", () => panel.remove());
  root.append(panel);
  panel.showModal(); // at once: a second Q or Escape is for the panel, not for the page
  document.dispatchEvent(new Event("view-link")); // the page brings its address up to date
  const here = new URL(location.href);
  here.searchParams.delete("present"); // readers open the page in its usual layout
  const served = await fetchServed();
  panel.append(...codeParts(addressFor(here, served), served));
}

/** What the dashboard serves to others; null if it serves this machine only, or on a site of plain files. */
async function fetchServed() {
  try {
    const answer = await fetch("/share.json");
    const served = answer.ok ? /** @type {Served} */ (await answer.json()) : null;
    return Array.isArray(served?.pages) ? served : null;
  } catch {
    return null; // there is no such file, or the server sends a page in its place
  }
}

/**
 * @param {string} address
 * @param {Served | null} served
 */
function buildPanel(address, served) {
  const copy = el("button", { type: "button", class: "live-button", text: t("Copy link") });
  copy.addEventListener("click", async () => {
    copy.textContent = (await copyText(address, copy)) ? t("Copied") : t("Select the link and copy it");
  });
  const close = el("button", { class: "live-button", text: t("Close") });
  return el(
    "dialog",
    { class: "share", "aria-label": t("Share this view") },
    el("h2", { text: t("Share this view") }),
    ...codeParts(address, served),
    el("form", { method: "dialog" }, copy, close),
  );
}

/**
 * The QR code of an address, if there is one, and the address.
 * @param {string} address
 * @param {Served | null} served
 */
function codeParts(address, served) {
  const parts = [el("p", { class: "share-address", text: address })];
  if (served) {
    const code = el("img", {
      src: `/share.svg?${new URLSearchParams({ to: address })}`,
      alt: t("QR code for the link below"),
      width: "280",
      height: "280",
    });
    code.addEventListener("error", () => code.remove()); // too long for a QR code
    parts.unshift(code);
  } else if (document.documentElement.dataset.qr) {
    // A site that was written for an address (site/page.py)
    parts.unshift(
      el("img", {
        src: document.documentElement.dataset.qr,
        alt: t("QR code for this page"),
        width: "280",
        height: "280",
      }),
      el("p", { text: t("The QR code opens this page; the link opens this view of it.") }),
    );
  } else if (LOOPBACK.test(new URL(address).hostname)) {
    const isSite = document.getElementById("page") !== null; // pages of the site contain their data
    parts.unshift(
      el("p", {
        text: isSite
          ? t("This link works on this computer only. To share it, copy the site's folder to a web server.")
          : t(
              "This link works on this computer only. To share it on your network, restart the dashboard with “make " +
                "app HOST=0.0.0.0”.",
            ),
      }),
    );
  }
  return parts;
}
