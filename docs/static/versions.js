// Fills the menu of versions, if the site stands in a folder among those of other versions.
"use strict";

async function fillVersions() {
  const box = document.querySelector(".versions");
  const select = box?.querySelector("select");
  if (!select || !location.protocol.startsWith("http")) return;
  const root = new URL(select.dataset.root, location.href);
  const current = root.pathname.split("/").filter(Boolean).at(-1);
  if (!/^(latest|\d+\.\d+\.\d+)$/.test(current)) return;
  const answer = await fetch(new URL("../versions.json", root)).catch(() => null);
  if (!answer?.ok) return;
  const versions = await answer.json();
  if (!versions.includes(current)) return;
  for (const version of versions) {
    select.add(new Option(version, version, version === current, version === current));
  }
  select.addEventListener("change", async () => {
    const chosen = new URL(`../${encodeURIComponent(select.value)}/`, root);
    const page = new URL(select.dataset.page, chosen);
    const there = await fetch(page, { method: "HEAD" }).catch(() => null);
    location.assign(there?.ok ? page : chosen);
  });
  box.hidden = false;
}

addEventListener("DOMContentLoaded", fillVersions);
