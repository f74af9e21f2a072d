package io.kmodel.indexer.parse.html;

import java.util.stream.Stream;

/** Small pages, one per line, each with something that decides where its words begin and end. */
final class HtmlPages {
  private static final String STRUCTURE =
      """
      a
      <p>a</p>b
      a<b>b</b>c
      a<span>b</span>c<div>d</div>e
      a<br>b<br/>c<wbr>d<hr>e<img>f
      <html><head></head><body>a</body></html>
      <!doctype html><title>t</title>a
      <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://x"><html><body>a
      <!DOCTYPE HTML PUBLIC '-//IETF//DTD HTML//EN'><p>a<table><td>b</table>c</p>d
      <!doctype html SYSTEM "about:legacy-compat"><p>a<table><td>b</table>c</p>d
      <!doctype svg><p>a<table></table>b
      <!doctype html junk><p>a<table></table>b
      <?xml version="1.0" encoding="utf-8"?><html><body>a
      a<!-- b -->c
      a<!-->b<!--->c<!---->d<!-- -- -->e<!-- --!>f<!--x--y>g-->h
      a<!---!>b-->c<!--a--!-->d<!-- --- -->e
      a<!b>c<!>d<?e>f</g h>i</ j>k</>l
      a<![CDATA[b]]>c
      a<b
      a</b
      a<
      a</
      a<!
      a<!-
      a<!--
      a<1>b< c>d<=e
      1 < 2 && 3 > 2
      <title>a</title><title>b</title>
      <title> a \\n b&nbsp;c </title>
      <title>a<b>c&lt;d</titlex></title >e
      <title>a</TITLE foo="bar>">b
      <title/>a</title>b
      <head><title>a</title></head><title>b</title><body>c
      <body><title>a</title>b
      <title></title><title>b</title>
      <title>&#1; a &#2;</title>b
      <head><meta charset=utf-8><link rel=x><base href=y></head>a
      <style>a{}</style>b<style>c</style >d
      <script>a</script>b<script>c</scriptx></script>d
      <script>a<!--<script>b</script>c--></script>d
      <script><!--a</script>b-->c
      <script><!-- <SCRIPT > </script> --> </script>a
      <script><!--></script>a<script><!---></script>b<script><!--<script --></script>c
      <head><script><!--<script></script></script></head>a
      a<script>b
      a<style>b
      a<textarea>b<c>&amp;</textarea>d
      a<textarea>\\nb</textarea>c<textarea>d
      a<iframe>b</iframe>c<noembed>d</noembed>e<noframes>f</noframes>g<xmp>h</xmp>i
      a<noscript>b<p>c</p></noscript>d
      <head><noscript><style>a</style><title>b</title></noscript></head>c
      a<noscript><noscript>b</noscript>c</noscript>d
      a<noscript><style>b</noscript>c</style>d</noscript>e
      a<noscript><script><!--<script>b</script></noscript>c
      <head><noscript><script><!--<script></script></noscript></head>a<script><!--<script></script>b
      a<template>b</template>c<template><table><tr><td>d</template>e
      <template><title>a</title></template>b
      <head><template><p>a</p></template></head>b
      a<plaintext>b</plaintext><p>&amp;c
      <p>a<plaintext>b<c
      a<pre>\\nb\\n c</pre>d<listing>e</listing>f
      <p><a>a<pre>\\n<title>b</title>c</a>d<p><a>e<listing>\\n<style>f</style><title>g</title>
      <p><a>a<pre>\\r\\n<title>b</title><p><a>c<pre>\\r<title>d</title><p><a>e<pre>\\n\\n<title>f
      <p><a>a<pre>&#10;<title>b</title><p><a>c<pre>&NewLine;<title>d</title><p><a>e<pre>&#13;<title>f
      <p><a>a<pre>&amp;<title>b</title><p><a>c<pre>\\n<!-- --><title>d</title><p><a>e<pre>&#xA<title>f
      <frameset><frame><noframes>a</noframes></frameset>b
      <frameset>a<frameset><p>b</frameset>c</frameset>d<noframes>e</noframes>f
      <p>a<frameset>b</frameset>c
      a</body>b
      a</body> b
      a</body> <p>b</p>
      a</html> b</html>c
      a</body><!-- x -->b</html><!-- y --> c
      a<b>b</b></body> <b>c
      <div>a</body>b</div>c
      <body>a<body>b<html>c<head>d</head>e
      </p>a</br>b
      </body>a</head>b</html>c
      </div>a</span>b
      <head>a</head>b
      <head><p>a</head>b
      <html> <head> <p>a
      """;

  private static final String BLOCKS =
      """
      <ul><li>a<li>b<ul><li>c</ul>d</ul>e
      <li>a<div>b<li>c</div>d
      <li>a<p>b<li>c<section>d<li>e
      <ol><li>a</ol></li>b
      <dl><dt>a<dd>b<dt>c</dl>d<dd>e<div>f<dd>g
      <p>a<p>b<div>c</p>d</div>e
      <p><span>a<p>b</span>c
      <p><button>a<p>b</button>c</p>d
      <button>a<button>b</button>c
      <h1>a<h2>b</h1>c</h2>d
      <h1>a<p>b</h3>c
      <h1><b>a<h2>b</b>c
      <form>a<form>b</form>c</form>d
      <form>a<div>b</form>c</div>d
      <form><span>a</form>b</span>c
      <div><form><i>a</form>b<u>c</i>d</u></div>e
      <form>a<summary>b</form>c</summary>d<i>e
      <form><b>a</b></form>b<summary><i>c</summary>d</i>e
      <form>a<table><tr><td>b</form>c</table>d<form>e
      <table><form><tr><td>a</form></table>b<form>c
      <address>a<article>b</address>c</article>d
      <main>a<dialog>b<search>c</main>d</search>e
      <p>a<main>b</p>c<p>d<dialog>e<p>f<summary>g
      <details><summary>a</summary>b</details>c
      <center>a<p>b</center>c
      <blockquote>a<i>b</blockquote>c</i>d
      <a href=x>a<a href=y>b</a>c</a>d
      <a>a<div>b<a>c</div>d
      <a><p>a</a>b<p>c
      <a><table><tr><td><a>b</table>c
      <nobr>a<nobr>b</nobr>c
      <b>a<p>b</b>c</p>d
      <b><i><u>a<p>b</i>c</b>d</p>e
      <b><span><p>a</b>b</span>c
      <b>a<i>b</b>c</i>d
      <p><b>a<p>b</b>c<p>d
      <p><b><b><b><b>a<p>b</b>c</b>d
      <p><font size=1>a<font size=2>b<p>c</font>d
      <b><div><b><div><b>a</b></div>b</b>c</div>d</b>e
      <b><em><foo><foo><aside></b>a</em>b
      <b><ul><li>a</b>b<li>c</ul>d
      <i><object>a</i>b</object>c
      <object>a<p>b</object>c<applet>d<name>e</applet>f
      <marquee><b>a</marquee>b
      a<x>b</x>c<x-y>d<Z>e</z>f</x-y>g
      <x><p>a</x>b
      <b><x>a</b>b</x>c
      a<video>b</video>c<audio>d</audio>e<canvas>f</canvas>g<picture>h</picture>i
      a<meter>b</meter>c<progress>d</progress>e<output>f</output>g<label>h</label>i
      a<input>b<input type=hidden>c<embed>d<area>e<param>f<source>g<track>h<keygen>i
      a<select><option>b<option>c</select>d
      a<select><optgroup>b<option>c<optgroup>d</select>e
      a<select>b<p>c</p>d<div>e</select>f
      a<select><b>b<select>c</b>d
      <select>a<input>b<select>c<textarea>d</textarea>e
      <select><option>a<hr>b<option>c</select>d
      <table><tr><td><select><option>a<tr><td>b</select>c</table>d
      <option>a<option>b<optgroup>c</optgroup>d
      <ruby>a<rb>b<rt>c<rtc>d<rp>e</ruby>f
      <ruby>a<rtc>b<rt>c<rp>d</ruby>e
      <rt>a<rp>b
      a<image>b<isindex>c<menuitem>d<command>e<basefont>f<bgsound>g
      <q>a</q>b<ins>c</ins>d<del>e</del>f<sub>g</sub>h<sup>i</sup>j
      a<map>b</map>c<abbr>d</abbr>e<tt>f</tt>g<s>h</s>i
      a<div/>b<span/>c<p/>d<br/>e<x/>f
      """;

  private static final String TABLES =
      """
      <table><tr><td>a<td>b<tr><td>c</table>d
      <table><caption>a</caption><colgroup><col><tr><th>b</table>c
      <table><caption>a<tr><td>b</caption>c</table>d
      <table><caption><p>a<b>b</table>c
      <table><thead><tr><td>a<tbody><tr><td>b<tfoot><tr><td>c</table>d
      <table>\\n<tr>\\n<td>a</td>\\n</tr>\\n</table>\\nb
      <table><td>a</table>b<table><tbody><td>c</tbody></table>d
      <table><tr><td><table><tr><td>a</table>b</table>c
      <table><tr><td>a<table><td>b
      a<table><tr><td>b</td></tr><table><tr><td>c</table>d
      <table><td><p>a</td><td>b</p></table>c
      <table><td><b>a</td><td>b</b></table>c
      <b><table><td>a</b></table>b
      <table><tr><td>a</tr></td></tbody></table></table>b
      <table><td>a</body>b</html>c<caption>d<col></table>e
      <td>a<tr>b<tbody>c<caption>d<th>e<col>f
      <table><br><img><input type=hidden><hr><td>a</table>b
      <table><tr><wbr></br></p><td>a</table>b
      <table><script>a</script><style>b</style><template>c</template><noscript>d</noscript></table>e
      <table></span></div></li></h1></b><tr></a><td>a</table>b
      <table><colgroup> <col> </colgroup><col></col></colgroup><td>a</table>b
      <table><colgroup><template>a</template><tr><td>b</table>c
      <table><td>a<tfoot><thead><td>b<td>c</thead></table>e
      <table><tr></table>a<table></tr></td></table>b
      <p>a<table><td>b</table>c
      <!doctype html><p>a<table><td>b</table>c</p>d
      <div><table><tr><td>a</div>b</table>c</div>d
      <table><tr><td><form>a</td></form><td>b</table>c
      <table><tr><td><ul><li>a<tr><td>b</table>c
      <a><table><tr><td>a</a>b</table>c
      <table><!-- a --><tr><!-- b --><td>c<!-- d --></table>e
      a<table>b<tr>c<td>d</td>e</tr>f</table>g
      a <table> b <tr> c <td> d </td> e </tr> f </table> g
      <table>a<tr><td>b</table>c
      <table><tr><td>a</td></tr>b<tr><td>c</td></tr>d</table>e
      <table><tr><td>a<p>b</table>c<table>d<p>e<tr>f<td>g
      a<table><p>b</p>c<tr><td>d</td></tr><p>e</p></table>f
      a<table><b>b</b>c<tr><i>d<td>e</i>f</table>g
      a<table><b>b<tr><td>c<tr>d</table>e
      a<table><b><p>b</b>c</p>d<tr><td>e</table>f
      a<table><a>b<a>c<td>d</table>e
      a<table><li>b<li>c<dt>d<dd>e<tr><td>f</table>g
      a<table><p>b<div>c</div>d<h1>e<h2>f</table>g
      a<table><br>b<td>c</table>d<table><img><td>e</table>f<table><hr>g
      a<table></p>b<td>c</table>d<table></br>e
      a<table><td>b<table>c<td>d</table>e</table>f
      a<table>b<td>c<table>d<tr>e<td>f</table>g<tr>h</table>i
      a<table><form>b<tr>c</form>d<td>e</form>f</table>g<form>h
      a<table><select><option>b<tr><td>c</table>d</select>e
      a<table><textarea>b</textarea><title>c</title><xmp>d</xmp><td>e</table>f
      a<table><style>b</style>c<script>d</script>e<noscript>f</noscript>g<td>h</table>i
      a<table><template>b<td>c<table>d</table></template>e<td>f</table>g
      a<template><table>b<td>c</table>d<tr>e</template>f<tr>g
      a<table><td>b<template><tr>c</template>d</table>e
      a<table><svg>b<desc>c<tr><td>d</table>e<table><math><mi>f<td>g</table>h
      a<table><colgroup> b<col>c</colgroup>d<td>e</table>f
      a<table><colgroup>b</col> c<td>d<caption>e</table>f
      a<table><caption>b<p>c</caption>d<td>e</table>f
      <p>a<table>b<td>c</table>d</p>e
      a<table><button>b<p>c</button>d<td>e</table>f<object>g<table>h</object>i
      a<table><nobr>b<nobr>c<font>d<td>e</nobr>f</table>g
      a<table>b</body>c</html>d<td>e
      a<table>b<input><td>c</table>d<table><td>e<tr><input type=hidden></table>f
      a<table><marquee>b<td>c</table>d</marquee>e
      a<table><p>b<input>c<td>d</table>e
      <template><col>x</template>a<table>b<colgroup></col> c
      <template><tr><td></td><input></template>a<template><td></td><input></template>b
      a<table><p>b<template><tr>c</template>d<td>e</table>f
      <table>&nbsp;a&#32;<td>b</table>c<table>­<td>d</table>e
      <!-- --><table><td><td></table>a<table>b
      a<table><tr><i></i><tbody><u><thead></u>b<td>c</table>d
      """;

  private static final String FOREIGN =
      """
      a<svg><title>b</title><desc>c</desc><text>d</text></svg>e
      a<svg>b<p>c</p>d</svg>e
      a<svg/>b<svg><path/>c<g>d</g></svg>e
      a<svg><foreignObject><p>b</p><div>c</foreignObject>d</svg>e
      a<SVG><FOREIGNOBJECT>b<p>c</SVG>d
      a<svg><style>b<c>d</c></style>e</svg>f
      a<svg><script>b<c></script>d</svg>e
      a<svg><![CDATA[b<c>&amp; d]]>e</svg>f
      a<svg><![CDATA[b
      a<math><mi><table><u></table>b<![CDATA[c<d]]>e<![CDATA[f]]>g</math><![CDATA[h]]>i
      a<svg><desc><p><b></p> <![CDATA[b]]>c<![CDATA[d]]><i><![CDATA[e]]>f</desc><![CDATA[g]]>
      a<svg><title><![CDATA[b]]>c</title></svg>d
      a<math><mi>x</mi><mo>=</mo><mtext>b<p>c</p></mtext></math>d
      a<math><mrow>b<mglyph>c</mglyph></mrow>d</math>e
      a<math><mi>b<mglyph>c<malignmark>d</mi>e</math>f
      a<math><annotation>b</annotation>c</math>d
      <mi>a<math><mi>b<x-y>c</mi>d</math>e
      a<math>b</p>c</math>d
      a<svg>b</br>c</svg>d
      a<svg><a>b</a><b>c</b>d
      a<svg><g>b</svg>c</g>d
      a<div><svg>b</div>c</svg>d
      <table><tr><td><svg>a<tr><td>b</table>c
      <table><tr><td><svg>a</table>b
      <p><svg><desc><p>a</p></desc>b</svg>c</p>d
      a<svg><feMerge>b</feMerge>c<switch>d</switch></svg>e
      a<svg><table><td>b</table>c
      a<svg><font>b</font>c<template>d</template>e<noscript>f</noscript>g</svg>h
      a<svg><math>b</math><mi>c</mi></svg>d
      a<svg></body>b</svg>c
      a<svg><textarea>b<c></textarea>d</svg>e
      """;

  private static final String TEXT =
      """
      a&amp;b&lt;c&gt;d&quot;e&apos;f
      a&ampb&ltc&copyd&notit;e&notin;f
      a&nbsp;b&#160;c&#xA0;d&nbspe
      a&shy;b&#173;c&ZeroWidthSpace;d&#x200b;e
      a&#128;b&#x9F;c&#150;d&#0;e&#x110000;f
      a&#65b&#x41;c&#X41;d&#;e&#x;f&#xg;h
      a&;b& c&&d&#&e&
      a&bogus;b&bogusc&a1;d&frac12;e&frac123;f&sup2g
      a&nGt;b&nvlt;c&ThickSpace;d&fjlig;e&NewLine;f&Tab;g
      a&AMP;b&AMPc&LT;d&COPY;e&REG
      a\u00A0b\u00ADc\u200Bd\u2003e\u3000f\uFEFFg
      é\u00E2\u0082 à\u2010b\u2019c\u00C2\u00BBd
      漢字<b>かな</b>😀 e\u0301
      a\t\\nb\f\\rc\\r\\nd\13e\205f
      \\n a  <b>  b  </b>  c \\n
      a<b> b</b><i>c </i>d
      a <b></b> b
      <p> a </p> b <p>\u00A0</p>c
      <b>a</b>\u00AD<b>b</b>
      <p>\u00AD</p>a
      <p a="x>y" b='z>w' c=d>e e<p a='>b
      <p a=b/>c<p a="b"c='d'>e<p a = "b" >f<p =a>g<p "a>h<p a"b='c'>i
      <p/a/b=c/>d<p a=&amp;b>e<p a=`b>c`>d<p a=">b
      <p a=>b<p a= >c<p a= d>e
      <P CLASS=x>a</P >b</P x=y>c</p/>d
      <a<b>c</a<b>d
      a\uFFFFb<p>c \uFFFF<i title="\uFFFF" b='c\uFFFF\uFFFF' / =x = "d"e>f\uFFFF</i x=y>g
      <p\\n>a</p\\n>b
      """;

  private HtmlPages() {}

  static Stream<String> all() {
    return Stream.of(STRUCTURE, BLOCKS, TABLES, FOREIGN, TEXT).flatMap(HtmlPages::unescaped);
  }

  /** Lines end pages; a line break in a page is written with a backslash. */
  private static Stream<String> unescaped(String pages) {
    return pages.lines().map(page -> page.replace("\\n", "\n").replace("\\r", "\r"));
  }
}
