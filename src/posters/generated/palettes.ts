/** The colours of generated posters, chosen together. `ink` is readable on `ground`; the others are shapes only. */
export interface PosterPalette {
  ground: string;
  ink: string;
  shapes: readonly [string, string, string, string];
}

export const palettes: readonly PosterPalette[] = [
  { ground: '#14112b', ink: '#fdf6ec', shapes: ['#ff5c39', '#ffb627', '#7a5cff', '#2de1c2'] },
  { ground: '#f7efe2', ink: '#1d1a16', shapes: ['#d7263d', '#1b998b', '#2e294e', '#f46036'] },
  { ground: '#0b2e33', ink: '#f4fbf7', shapes: ['#b8e3e9', '#f2c14e', '#f78154', '#4f8a8b'] },
  { ground: '#fde2e4', ink: '#3a0f2b', shapes: ['#c9184a', '#ff758f', '#590d22', '#ffb3c1'] },
  { ground: '#101418', ink: '#f2f5f7', shapes: ['#39ff88', '#00c2ff', '#f5f749', '#3d4b5c'] },
  { ground: '#e9f0ff', ink: '#0c1b4d', shapes: ['#2446f5', '#8fb1ff', '#ff9f1c', '#0c1b4d'] },
  { ground: '#2b0f1f', ink: '#fff1f3', shapes: ['#ff4d6d', '#ff9770', '#ffd670', '#70d6ff'] },
  { ground: '#f3f1ea', ink: '#20241c', shapes: ['#386641', '#a7c957', '#bc4749', '#6a994e'] },
  { ground: '#1c1917', ink: '#faf7f2', shapes: ['#e9c46a', '#e76f51', '#2a9d8f', '#8d99ae'] },
  { ground: '#ecebfb', ink: '#211a4c', shapes: ['#5f4bff', '#ff6bcb', '#ffd23f', '#211a4c'] },
];
