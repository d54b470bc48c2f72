// The sound of a stone: a short click, made from a tone and noise.

const LENGTH = 0.09;

/** @type {AudioContext | null} */
let context = null;

export function playStone() {
  context ??= new AudioContext();
  const { sampleRate, currentTime, destination } = context;
  const buffer = context.createBuffer(1, LENGTH * sampleRate, sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) {
    const time = i / sampleRate;
    const tone = Math.sin(2 * Math.PI * 1150 * time) * Math.exp(-time * 95);
    samples[i] = 0.5 * tone + 0.35 * (Math.random() * 2 - 1) * Math.exp(-time * 420);
  }
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(destination);
  source.start(currentTime);
}
