/** Written by `scripts/pictures.brand.mjs`: the logo in emails, a PNG of 84 × 84 px shown at 28. */
const logoPng =
  'iVBORw0KGgoAAAANSUhEUgAAAFQAAABUCAYAAAAcaxDBAAAJPUlEQVR4nOydbWxb5RXH/+feOC+13VUtGV1JY0eNFu3DNlaGhrpN' +
  'KhujUGg0mApM2gTVNr5s1VS1kKTtRtDWvLSgThofVqrtA3yYUFW0lm4pZWKsRXsprEhF2gYMGidNRknHRmwnTux7z86TLhOUBnzv' +
  'PdfxDfykxklqX9t/n3Oe85zzPE9q8AGCN8LOtl6xJGbVJkolJ2FbVsJhNCTqB/9A3ZiGAjVYoPDm1rrJRHG1y3QNA59jwjU5IEXy' +
  'fyVXfmNZcMwdzS+QbgAGoQFhASEyUb6z+ctMtEl+uAVEDWU8aCrZN1gPJRaEhU7uaEmVHN6UJdwlFpKa+WW5pkL4DxSJvKDZ7alr' +
  'i667n4hW+XS3c1AksoLm7kkvZxs/EZe9PVDcYvwOikRSUO5uTOSm8Ih8+xUERD6Mo1AkcoIaMbOFRU8SYQ0CIoPYuKRMT0ORyAma' +
  'nYo/pCGmgRgDWvnnLJESNNuZXis3d0ID5vNcLH4PyliICGaWIy76M6hBP1j84Oh5KBMZC822pjfIANIGBZjxXPLVwf0IgchYqMS7' +
  'O6CAiHk0WT+4hg5cmHlqEwlBzbxc3H09AsLgI8l63CIDUQkhEQmXzyWLa4gpCZ+IVb4l4aIz2ZfZRzPZUnhEJIbS5fAL45ht8V3x' +
  'nsw/UQGiIaiLJeXXxdiVL7+XD+GxRKF0gPaefRMVJCIWysveVT6SspvExBECDckPf5VS3WkbfLqhWDhND5zLY56ITD2Uu2HlJps/' +
  'YRHVuqXCSPKBc2+gCllQBeZqIDJ5aFSomhia62j5NFvuKnGaRslzPiq+0zjzPSDxExITeUzi5huSPo3JJHSMXRqV1sUzqDLmzeX5' +
  'bsTyS9PS/+F2EWqDDCpN8ArzpPSPnpJvDhOmDid7Xx/DPFNxQfNdzTe7oE2SbK+TtkUcikjGflJi2C/jhdI+SZcmMQ9UTNDc9vSV' +
  '7PJPxRK/gLBhHpWU6v5k/dAvwpxmXorQBS10NrUWye6Xp7oVFUa84BWy3J2JnqEDYU85ZwlVUOlIfhcu7ZVniWF+eTJRN30rdY9O' +
  'IGRCEdQMONllqZ/LLOabqBLEWl+qhbu+vm/oNYSIuqDjW1dchljsqAw4V6HKME05i52Nib7hYwgJ1cQ+vz21mmpjp6tRTINYz2Im' +
  'a2C8M92FkFCz0JkGGukuGggX3p/szdwNZVQsdLIznZY05XFECvpOtqN5M5QJbKG87fJ4NtZwSi70cUQNZtNXul4q+WqLHQJbaC7W' +
  'cDCSYhqIpDVNj0/uTLVAiUCCjnelJWHHOkQYInykWKIB42lQwLeg+c7mq8Qy78UCQERtE0/rgQK+Y2i2M/WUvJLrEA4nJL69KM34' +
  'l4itl+Xn5fJK25i5TVz0OhHAdwf0vbCt6eZFu0aHEQBf9dDxrubPy2ehLqbMZp6QvtB98b7MC3Pepzu9JDfFW5np+9rClpxYt9x8' +
  'CwHwZaGSGJ+UN3M1lBDLyxO765P9w8fLfsyWpqW5OvuQdvUqhmJbfe/Iy/CJ5xg63rWyXVNMkWaixnW+5EVMg2kPJ0qFG8Sq/wRF' +
  'ioj9CAHwLCixvRWauO6Ni3afPQkfmHZxki0Rlf8CPW4zExX4xJOgxs3k6xehBvd4tcyLof7X3qp1nK9DEYfwVfjEk6D5upp2iVk6' +
  '838xK9sqqqz3rN9z9hW53rNQQqbR7fCJNwsN8ETvgvB00BTlHZcjfhhq0LV872W+MoiyBTVFY7m5AUoQs6+4ORcurOegSL4mvgE+' +
  'KFvQiWXN68ra6lcmLtGrUCT5j0Hj9mp9I+n7+/LGsgV12fosFCHWFfR/K5LVlixKePNVJC8/hpJM/xQhC3VQRqalmn3+j8EH5cdQ' +
  'n08wF66L1VBkYseKlaZyBCXMIgyzyQweKd9CWVdQyb0+A0VKpVrVD8gwla/z/J7LFlQE8L8s+9IXXKtVg5y5HAXf1HAx0zXkOcx5' +
  'iKG8Aro05mrqO6BAYefKVeJCgapEl0LcPjwLlcuHsfRxm7SeA4eS6ZK917QzoI7ludbhJYYOQRvJax2XDvmdlRiyXc0/FHf3lYS/' +
  'L+w9DSt/lCe8jhAwpcCcnThuCsfwyHhXao+8hfsRElIbDU9QYoS5z+fKXIEPenlArit9J4G2IUTq6qZH4REvcTHUjVPiARlP99c6' +
  'F2juZ5ig7rEcPOJhlHdDFVQ84Nde7p+oGzxhthwiJKRnNQIflC2o5ZJmVfydMDuJKec3Xh5C3VJfAUJbRUfg5+GDsgVd9O/MMeMG' +
  'CAPCcT9r4mVA82TVnrDoMHxQ/qD0sPSvQKFYhFd3n8VF8Yhmye7/GI8p5Xy9Jk+Jq7iYr0/t/WAXntx9lsW9I/+SCpMv13xPCM/Q' +
  '7vNZ+MCToGIRh/UtgkeSuzN/g0/kQw7B7dm34XgS1FiEBC61ZtgFyFP+eTGW7agLWmPZh+AT73NVl3uhiFwv0Mle8V3Dz5sjg6AF' +
  '47GGXWc85cRvx7Og8f7MgGLLdlqyh98iIBJHj0ADGYxqbApUAfO1nNEmnSmf9G2OXcgegkGWOwAd9gWxToMvQRf1Dv5Z1PAdZ2Yh' +
  'pQqW7dBZBIV5EjTVjYD4X8FM7nYEhm7mLU2BW9MlQvBtj4QHNXYzB1pWk+1M7ZBR/8cIgLj9H4l5r3y2nt+M6Zy6LptdzVsQBOYX' +
  'kn0ZlZ5U4HVK2a7UwfnYGKvIGJXwqcSeQZV6b+BdIImC8w0xsxcRRRhFi52btMQ0BBbUFDVse/omcd2Kno+kAbH77XjfsOqaKJWd' +
  'dGYVHTF9DVGC+aFE/9AjUEZt86w5UMWynKvNQSuoZmZqEe59Mgipb0s0qG/vNm1h15WCBZHqyhANzOYIm3G7zPZCq6OGcwDB5ta6' +
  'XLz0qFx9I6oEMctMLYrXB9nhUQ6hHpEx3pnuIOKemYxxfjmRcK0NZj0+QibUN7q4b7BfbOOTkgE8KrcVPZ3mAnxKqte3SUNvbSXE' +
  'NFTsmKGJjhXNDsXugdmpprgS+pKwVNzh9IZ5FMZcVPwgrGzX8ka4tXfAsszymcB/KeFt/F3ezK8kxByI92ROYZ6Y19MZZ/4ERaHh' +
  'RqlntssrWU+gpR4eXQLTsyLgE7ZlHQxadtOiqo67nNjRdAVKdkoa7i3yLyXlvRYJDysl33lTXukZSXsyloUzNexkwh6t/fLh+aHK' +
  '/BcAAP//BrHYegAAAAZJREFUAwD4cDYwDoScrwAAAABJRU5ErkJggg==';

/** The Content-ID of the logo within an email (RFC 2392). */
export const logoCid = 'logo@orange-id';

export const logoAttachment = {
  cid: logoCid,
  filename: 'orange-id.png',
  contentType: 'image/png',
  contentDisposition: 'inline',
  content: Buffer.from(logoPng, 'base64'),
} as const;
