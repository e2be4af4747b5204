import './product-picture.css';

interface Shot {
  /** Address of the picture, and its size in CSS pixels. */
  src: string;
  width: number;
  height: number;
}

/** One screen of the portal in one colour mode; `narrow` stands in for it on a phone. */
interface Screen {
  wide: Shot;
  narrow?: Shot;
}

interface ProductPictureProps {
  light: Screen;
  dark: Screen;
  alt: string;
}

/**
 * A screen of the portal itself, in the page's colour mode. Both modes are in the markup and the style sheet shows one:
 * the mode is a choice of the visitor's that no media query knows. A lazy picture that is not shown is not loaded.
 */
export function ProductPicture({ light, dark, alt }: ProductPictureProps) {
  return (
    <div className="product-picture">
      {[
        { mode: 'light', screen: light },
        { mode: 'dark', screen: dark },
      ].map(({ mode, screen: { wide, narrow } }) => (
        <picture key={mode} data-mode={mode}>
          {narrow && (
            <source
              media="(max-width: 639px)"
              srcSet={narrow.src}
              width={narrow.width}
              height={narrow.height}
            />
          )}
          <img {...wide} alt={alt} loading="lazy" decoding="async" />
        </picture>
      ))}
    </div>
  );
}
