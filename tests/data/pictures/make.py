#!/usr/bin/env python3
"""Makes the pictures of this folder. Needs Pillow."""
from PIL import Image

size = (24, 16)
alpha = Image.new("RGBA", size)
for x in range(size[0]):
    for y in range(size[1]):
        alpha.putpixel((x, y), (200, 10 * y, 10 * x, 255 if x < 8 else 128 if x < 16 else 0))
alpha.save("alpha.png")
alpha.convert("RGB").save("colours.png")
alpha.convert("LA").save("grey-alpha.png")
alpha.convert("L").save("grey.png")
alpha.convert("P").save("palette.png", transparency=0)
Image.new("I;16", size, 40000).save("sixteen.png")
alpha.convert("RGB").save("colours.jpg", quality=90)
alpha.convert("RGB").save("progressive.jpg", quality=90, progressive=True)
alpha.convert("L").save("grey.jpg", quality=90)
alpha.convert("CMYK").save("print.jpg", quality=90)
