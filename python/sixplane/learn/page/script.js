// Steps through the sample game: all its pictures are animations of the same clock.
(function () {
  const game = document.getElementById("game");
  let stopped = false;
  if (game) {
    const told = JSON.parse(document.getElementById("told").textContent);
    const frames = told.length;
    const seconds = Number(game.dataset.seconds);
    const total = (frames - 1) * seconds + Number(game.dataset.hold);
    const pictures = Array.from(game.querySelectorAll(".plays svg"));
    // They are set to the same time here, and no longer stop one by one under the pointer.
    const moving = pictures.flatMap((picture) => picture.getAnimations({ subtree: true }));
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    // Where it stands still its delay is negative, and before the time 0 it has no effect: a round is added.
    const began = (one) => one.effect.getTiming().delay;
    const slider = game.querySelector("input");
    const button = game.querySelector("button");
    const said = game.querySelector(".said");
    const time = () => (moving.length ? ((moving[0].currentTime - began(moving[0])) / 1000) % total : 0);
    const now = () => Math.min(frames - 1, Math.floor(time() / seconds));
    const tell = (frame) => { said.textContent = told[frame]; };
    const stop = (is) => {
      stopped = is;
      button.textContent = is ? "Play" : "Pause";
      moving.forEach((one) => { is ? one.pause() : one.play(); });
    };
    const show = (frame) => {
      moving.forEach((one) => { one.currentTime = ((frame + 0.5) * seconds + total) * 1000 + began(one); });
      slider.value = frame;
      tell(frame);
    };
    slider.max = frames - 1;
    slider.addEventListener("input", () => { stop(true); show(Number(slider.value)); });
    button.addEventListener("click", () => stop(stopped === false));
    setInterval(() => {
      if (stopped === false) { slider.value = now(); tell(now()); }
    }, 100);
    if (location.hash.startsWith("#move=")) { stop(true); show(Number(location.hash.slice(6))); }
    else { stop(still); show(still ? frames - 1 : 0); }
    game.querySelector(".player").hidden = false;
  }
  const refresh = Number(document.body.dataset.refresh);
  if (refresh) { setInterval(() => { if (stopped === false) location.reload(); }, 1000 * refresh); }
})();
