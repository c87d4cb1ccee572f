#!/usr/bin/env bash
# Makes the corpus anew from sources/ with pandoc, LaTeX, LibreOffice, Chromium and ImageMagick. Needed only to change the
# corpus: its files are committed.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=corpus
mkdir -p "$out"
export SOURCE_DATE_EPOCH=1767225600
md=markdown+footnotes+superscript+subscript+tex_math_dollars+pipe_tables

office() { soffice -env:UserInstallation="file://$work/profile" --headless --convert-to "$1" --outdir "$work" "$2" >/dev/null 2>&1; }

for name in harbour contents code lists tables formulas german letter; do
  pandoc -f $md "sources/$name.md" -o "$work/$name.docx"
  pandoc -f $md "sources/$name.md" -o "$work/$name.odt"
  pandoc -f $md "sources/$name.md" -s --mathml --metadata title="$name" -o "$work/$name.html"
  pandoc -f $md "sources/$name.md" -s --metadata title="$name" -o "$work/$name.rtf"
done

# Word files by pandoc and by LibreOffice
for name in harbour code lists tables formulas german; do cp "$work/$name.docx" "$out/$name.pandoc.docx"; done
pandoc -f $md sources/contents.md --toc -o "$out/contents.pandoc.docx"
for name in harbour lists tables formulas letter; do
  mkdir -p "$work/lo"; cp "$work/$name.odt" "$work/lo/$name.odt"
  office docx:"MS Word 2007 XML" "$work/lo/$name.odt"; cp "$work/$name.docx" "$out/$name.libreoffice.docx"
done

# OpenDocument text
for name in harbour code lists formulas; do cp "$work/$name.odt" "$out/$name.pandoc.odt"; done
cp "$work/tables.html" "$work/tables-web.html"
office odt:writer8 "$work/tables-web.html" && cp "$work/tables-web.odt" "$out/tables.libreoffice.odt"
office odt:writer8 "$work/german.rtf" && cp "$work/german.odt" "$out/german.libreoffice.odt"

# Rich text by pandoc and by LibreOffice
for name in harbour german; do cp "$work/$name.rtf" "$out/$name.pandoc.rtf"; done
for name in harbour lists tables letter; do
  cp "$work/lo/$name.odt" "$work/$name-lo.odt"; office rtf:"Rich Text Format" "$work/$name-lo.odt"; cp "$work/$name-lo.rtf" "$out/$name.libreoffice.rtf"
done

# Books and pages
for name in harbour formulas code; do pandoc -f $md "sources/$name.md" --mathml --metadata title="$name" -o "$out/$name.pandoc.epub"; done
for name in harbour formulas tables lists; do cp "$work/$name.html" "$out/$name.pandoc.html"; done

# PDF by LaTeX
for name in harbour code formulas tables contents; do
  pandoc -f $md "sources/$name.md" -V geometry:margin=2.5cm -o "$out/$name.latex.pdf"
done
pandoc -f $md sources/paper.md -V classoption=twocolumn -V geometry:margin=2cm -o "$out/paper-columns.latex.pdf"

# PDF by LibreOffice, without and with tags
for name in harbour code lists tables letter german; do
  cp "$work/$name.odt" "$work/$name-p.odt" 2>/dev/null || true
  [ "$name" = german ] && pandoc -f $md sources/german.md -o "$work/german-p.odt"
  office 'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"false"}}' "$work/$name-p.odt"; cp "$work/$name-p.pdf" "$out/$name.libreoffice.pdf"
done
for name in harbour lists tables; do
  office 'pdf:writer_pdf_Export:{"UseTaggedPDF":{"type":"boolean","value":"true"}}' "$work/$name-p.odt"; cp "$work/$name-p.pdf" "$out/$name.libreoffice-tagged.pdf"
done

# PDF by Chromium
for name in harbour code lists tables; do node print-pdf.mjs "$work/$name.html" "$out/$name.chromium.pdf"; done

# Slides
pandoc -f $md sources/slides.md --slide-level=2 -o "$out/slides.pandoc.pptx"
cp "$out/slides.pandoc.pptx" "$work/slides.pptx"
office odp "$work/slides.pptx" && cp "$work/slides.odp" "$out/slides.libreoffice.odp"
cp "$work/slides.odp" "$work/slides-lo.odp"
office pptx "$work/slides-lo.odp" && cp "$work/slides-lo.pptx" "$out/slides.libreoffice.pptx"

# Sheets
cp sources/budget.csv "$out/budget.csv"
cp sources/budget.csv "$work/budget.csv"
office xlsx:"Calc MS Excel 2007 XML" "$work/budget.csv" && cp "$work/budget.xlsx" "$out/budget.libreoffice.xlsx"
office ods:calc8 "$work/budget.csv" && cp "$work/budget.ods" "$out/budget.libreoffice.ods"
office pdf:calc_pdf_Export "$work/budget.csv" && cp "$work/budget.pdf" "$out/budget.libreoffice.pdf"

# Notebook, plain text in an old encoding
pandoc -f $md sources/code.md -t ipynb -o "$out/code.pandoc.ipynb"
iconv -f utf-8 -t windows-1252 sources/letter.md -o "$out/letter.txt"

# Scans: a page printed, photographed, and bound into a PDF again
pandoc -f $md sources/scan.md -V geometry:margin=2cm -V pagestyle=empty -V fontsize=12pt -o "$work/scan.pdf"
pdftoppm -r 150 -gray -png "$work/scan.pdf" "$work/scan"
convert "$work"/scan-*1.png -crop 1240x760+0+0 +repage "$work/scan.png"
cp "$work/scan.png" "$out/scan.png"
convert "$work/scan.png" -rotate 0.4 -background white -attenuate 0.1 +noise Gaussian -quality 70 "$out/scan.jpg"
convert "$work/scan.png" -compress lzw "$out/scan.tiff"
convert "$out/scan.jpg" -quality 75 "$work/page.jpg"
printf '\\documentclass{article}\\usepackage[margin=0cm]{geometry}\\usepackage{graphicx}\\pagestyle{empty}\\begin{document}\\noindent\\includegraphics[width=\\textwidth]{page.jpg}\\end{document}' >"$work/bound.tex"
(cd "$work" && pdflatex -interaction=batchmode bound.tex >/dev/null) && cp "$work/bound.pdf" "$out/scan.latex.pdf"
du -sh "$out"; ls "$out" | wc -l
