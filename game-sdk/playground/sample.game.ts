import { createGame } from '../src/game.sdk.js';

/** The playground's sample: catch the oranges, lose after three misses. */
const width = 180;
const height = 240;
const lives = 3;

type Scene = 'ready' | 'playing' | 'paused' | 'over';
interface Orange {
  x: number;
  y: number;
  speed: number;
}

const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
const game = createGame();

let scene: Scene = 'ready';
let saved = { best: 0, coins: 0 };
let score = 0;
let missed = 0;
let basket = width / 2;
let oranges: Orange[] = [];
let untilNext = 0;
const keys = new Set<string>();

const sprite = ['..gg..', '.oooo.', 'oooooo', 'oOoooo', 'oooooo', '.oooo.'];
const colours: Record<string, string> = { g: '#7FA83D', o: '#F37920', O: '#FFB07A' };
const stars = Array.from({ length: 40 }, (_, place) => ({
  x: (place * 67) % width,
  y: (place * 113) % height,
  light: 0.15 + ((place * 7) % 10) / 25,
}));

function start(): void {
  scene = 'playing';
  score = missed = untilNext = 0;
  oranges = [];
  basket = width / 2;
}

async function end(): Promise<void> {
  scene = 'over';
  await game.gameOver(score);
  saved = { best: Math.max(saved.best, score), coins: saved.coins + score };
  await game.saveGameData(saved);
}

function pause(isByPlayer: boolean): void {
  if (scene !== 'playing') return;
  scene = 'paused';
  if (isByPlayer) void game.gamePaused();
}

function resume(isByPlayer: boolean): void {
  if (scene !== 'paused') return;
  scene = 'playing';
  if (isByPlayer) void game.gameResumed();
}

/** Moves everything by `ms` milliseconds. */
function move(ms: number): void {
  const step = ms * 0.12;
  if (keys.has('ArrowLeft')) basket -= step;
  if (keys.has('ArrowRight')) basket += step;
  basket = Math.min(width - 14, Math.max(14, basket));
  untilNext -= ms;
  if (untilNext <= 0) {
    oranges.push({ x: 12 + Math.random() * (width - 24), y: 18, speed: 0.045 + Math.min(score, 40) * 0.002 });
    untilNext = Math.max(380, 1100 - score * 22);
  }
  for (const orange of oranges) orange.y += orange.speed * ms;
  oranges = oranges.filter(({ x, y }) => {
    if (y > height - 26 && y < height - 12 && Math.abs(x - basket) < 17) {
      score++;
      return false;
    }
    if (y <= height) return true;
    missed++;
    return false;
  });
  if (missed >= lives) void end();
}

function draw(): void {
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = '#0B0705';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const { scale, left, top } = field();
  pen.setTransform(scale, 0, 0, scale, left, top);
  pen.fillStyle = '#120C08';
  pen.fillRect(0, 0, width, height);
  for (const { x, y, light } of stars) {
    pen.fillStyle = `rgba(255, 176, 122, ${light})`;
    pen.fillRect(x, y, 1.5, 1.5);
  }
  for (const { x, y } of oranges) {
    sprite.forEach((row, j) =>
      [...row].forEach((pixel, i) => {
        if (pixel === '.') return;
        pen.fillStyle = colours[pixel] as string;
        pen.fillRect(x - 6 + i * 2, y - 6 + j * 2, 2.2, 2.2);
      }),
    );
  }
  pen.fillStyle = '#8A5A2B';
  pen.fillRect(basket - 14, height - 18, 28, 12);
  pen.fillStyle = '#C98B4B';
  for (let x = -14; x < 14; x += 4) pen.fillRect(basket + x, height - 18, 2, 12);
  pen.fillRect(basket - 16, height - 20, 32, 3);
  words(`${score}`, 8, 14, 10, 'left');
  words(`Best ${Math.max(saved.best, score)}`, width - 8, 14, 8, 'right', '#C3BBB2');
  words('♥'.repeat(Math.max(0, lives - missed)), width / 2, 14, 9, 'center', '#F37920');
  if (scene === 'ready')
    message('Orange Catch', document.hasFocus() ? 'Tap or press Space to start' : 'Tap or click to start');
  if (scene === 'paused') message('Paused', 'Press P to go on');
  if (scene === 'over')
    message(`${score} ${score === 1 ? 'orange' : 'oranges'}`, 'Tap or press Space to play again');
}

function words(
  text: string,
  x: number,
  y: number,
  size: number,
  align: CanvasTextAlign,
  colour = '#F5F1EC',
): void {
  pen.fillStyle = colour;
  pen.textAlign = align;
  pen.font = `600 ${size}px system-ui, sans-serif`;
  pen.fillText(text, x, y);
}

function message(title: string, help: string): void {
  pen.fillStyle = 'rgba(14, 13, 12, 0.72)';
  pen.fillRect(0, height / 2 - 34, width, 60);
  words(title, width / 2, height / 2 - 6, 18, 'center');
  words(help, width / 2, height / 2 + 14, 8.5, 'center', '#FFB07A');
}

let last = performance.now();
function frame(now: number): void {
  if (scene === 'playing') move(Math.min(60, now - last));
  last = now;
  draw();
  requestAnimationFrame(frame);
}

/** Where the playing field is on the canvas: as large as fits, in the middle. */
function field(): { scale: number; left: number; top: number } {
  const scale = Math.min(canvas.width / width, canvas.height / height);
  return { scale, left: (canvas.width - width * scale) / 2, top: (canvas.height - height * scale) / 2 };
}

function fit(): void {
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
}

new ResizeObserver(fit).observe(canvas);
addEventListener('keydown', ({ code }) => {
  keys.add(code);
  if (code === 'Space' && (scene === 'ready' || scene === 'over')) start();
  if (code === 'KeyP') {
    if (scene === 'paused') resume(true);
    else pause(true);
  }
});
addEventListener('keyup', ({ code }) => keys.delete(code));
canvas.addEventListener('pointerdown', () => {
  if (scene === 'ready' || scene === 'over') start();
  else if (scene === 'paused') resume(true);
});
canvas.addEventListener('pointermove', ({ offsetX }) => {
  const { scale, left } = field();
  basket = (offsetX * devicePixelRatio - left) / scale;
});

game.on('pause', () => {
  pause(false);
  void game.gamePaused();
});
game.on('resume', () => {
  resume(false);
  void game.gameResumed();
});
game.onQuit(() => {
  const best = Math.max(saved.best, score);
  scene = 'over';
  return { score, data: { best, coins: saved.coins } };
});

async function load(): Promise<void> {
  fit();
  requestAnimationFrame(frame);
  saved = await game.getGameData(saved).catch(() => saved);
  await game.gameLoaded();
}
void load().catch(() => undefined);
